import { inBrowser } from './inBrowser.ts'
import { keyboardSuite } from './keyboardSuite.ts'

inBrowser(keyboardSuite)
