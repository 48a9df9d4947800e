import type { SandboxCall, SandboxLimits } from './sandbox.ts'

/** What the sandbox's thread is started with. */
export interface SandboxSetup {
  role: 'expression sandbox'
  limits: SandboxLimits
  /** Three numbers: which request is worked on, 0 for none, how many calls were begun, and the thread's number. */
  progress: SharedArrayBuffer
}

export interface SandboxRequest {
  id: number
  /** To check only. */
  check?: string
  calls: readonly SandboxCall[]
}

export type SandboxAnswer = { id: number } & ({ results: string[] } | { error: string })
