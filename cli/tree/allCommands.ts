import type { CommandSpec } from '../base/commandSpec.ts'
import { keyCommands } from './keys.ts'
import { kubeconfigCommands } from './kubeconfig.ts'
import { objectCommands } from './objects.ts'
import { platformCommands } from './platform.ts'
import { secretCommands } from './secrets.ts'
import { sessionCommands } from './session.ts'

/** Every command, in the order of the help. */
export const allCommands: readonly CommandSpec[] = [
  ...sessionCommands,
  ...kubeconfigCommands,
  ...secretCommands,
  ...keyCommands,
  ...objectCommands,
  ...platformCommands,
]
