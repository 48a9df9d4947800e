import { inBrowser } from './inBrowser.ts'
import { liveSuite } from './liveSuite.ts'

inBrowser(liveSuite)
