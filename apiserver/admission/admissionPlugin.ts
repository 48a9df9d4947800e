import type { AdmissionRequest, AdmissionTarget } from '../registry/admission.ts'

/** Admission plugin. Refuses a write by throwing a StatusError.
 *  Source: Kubernetes, "Admission Control in Kubernetes". */
export interface AdmissionPlugin {
  /** Name in `--enable-admission-plugins`. */
  name: string
  /** Reports whether the plugin handles writes of this kind. Called once for each kind, operation and `generation`. */
  handles(target: AdmissionTarget): boolean
  /** Incremented when results of `handles` change. Absent: they never change. */
  readonly generation?: number
  /** Changes or replaces `request.object`. Runs again if a webhook changed the object. */
  mutate?(request: AdmissionRequest, round: MutationRound): void | Promise<void>
  validate?(request: AdmissionRequest): void | Promise<void>
  /**
   * Charges the write in the turn in which it is stored, when nothing else can refuse it any more.
   */
  charge?(request: AdmissionRequest): Promise<unknown> | undefined
}

/** Pass over the mutating steps; there are at most two. */
export interface MutationRound {
  readonly number: 0 | 1
  /** Set by a webhook or a policy to make earlier steps run again. */
  reinvoke: boolean
  /** State that a step keeps between the rounds of one write, by step. */
  readonly state: Map<object, unknown>
}
