import { Runnable } from 'mocha'
import { deadline } from './deadlines.ts'

// Multiplies Mocha's deadlines, of its configuration and of `this.timeout(…)`, by the factor of this machine; 0 means
// none.
const { timeout } = Runnable.prototype as {
  timeout: (this: Runnable, ...given: unknown[]) => unknown
}
const scaled = function (this: Runnable, ...given: (number | string)[]): unknown {
  const all = given.map((ms) => (typeof ms === 'number' ? deadline(ms) : ms))
  return Reflect.apply(timeout, this, all)
}
Object.assign(Runnable.prototype, { timeout: scaled })
