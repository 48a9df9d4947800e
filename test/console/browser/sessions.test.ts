import { inBrowser } from './inBrowser.ts'
import { sessionsSuite } from './sessionsSuite.ts'

inBrowser(sessionsSuite)
