import { setting, type Setting } from './setting.ts'
import { choice } from './valueKinds.ts'

/** Flag of `doctor` in addition to those of `serve`. */
export const doctorOutput: Setting = {
  ...setting('output', {
    kind: choice(['text', 'json']),
    default: 'text',
    description: 'Format of the findings. json: one object with ok and findings.',
    assign: () => undefined,
  }),
  inFile: false,
}
