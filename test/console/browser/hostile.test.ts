import { inBrowser } from './inBrowser.ts'
import { hostileSuite } from './hostileSuite.ts'

inBrowser(hostileSuite)
