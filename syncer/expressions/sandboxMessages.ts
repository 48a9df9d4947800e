import type { SandboxCall, SandboxLimits } from './sandbox.ts'

/** Input of the sandbox's thread. */
export interface SandboxSetup {
  role: 'expression sandbox'
  limits: SandboxLimits
  /** Three numbers: the current request, 0 for none, the number of started calls, and the thread's number. */
  progress: SharedArrayBuffer
}

export interface SandboxRequest {
  id: number
  /** An expression to check without evaluating it. */
  check?: string
  calls: readonly SandboxCall[]
}

export type SandboxAnswer = { id: number } & ({ results: string[] } | { error: string })
