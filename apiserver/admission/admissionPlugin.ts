import type { AdmissionRequest, AdmissionTarget } from '../registry/admission.ts'

/** One step of admission. Refuses by throwing a StatusError.
 *  Source: Kubernetes, "Admission Control in Kubernetes". */
export interface AdmissionPlugin {
  /** As `--enable-admission-plugins` names it. */
  name: string
  /** Whether writes of this kind concern it. Asked once a kind, operation and `generation`. */
  handles(target: AdmissionTarget): boolean
  /** Goes up when `handles` gives other answers. Absent: it never does. */
  readonly generation?: number
  /** Changes or replaces `request.object`. Runs again when a webhook has changed the object. */
  mutate?(request: AdmissionRequest, round: MutationRound): void | Promise<void>
  validate?(request: AdmissionRequest): void | Promise<void>
  /** In the turn of the write, when nothing else can refuse it. */
  charge?(request: AdmissionRequest): Promise<unknown> | undefined
}

/** One pass over the mutating steps; there are at most two. */
export interface MutationRound {
  readonly number: 0 | 1
  /** A webhook or a policy wants those before it to see what was changed. */
  reinvoke: boolean
  /** What a step keeps between the rounds of one write, by the step. */
  readonly state: Map<object, unknown>
}
