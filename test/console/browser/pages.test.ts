import { inBrowser } from './inBrowser.ts'
import { pagesSuite } from './pagesSuite.ts'

inBrowser(pagesSuite)
