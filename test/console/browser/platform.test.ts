import { arrivalSuite } from './arrivalSuite.ts'
import { inBrowser } from './inBrowser.ts'
import { platformSuite } from './platformSuite.ts'

inBrowser(platformSuite, arrivalSuite)
