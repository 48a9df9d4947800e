import { isDeepStrictEqual } from 'node:util'
import type { Mutation } from '../../apis/kubernetes/shapes/admissionregistrationV1.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { StatusError, type StatusReason } from '../../meta/status.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import { forbidden, requestEntityTooLarge } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { Steps } from '../../meta/waiting/steps.ts'
import { maxRequestBytes } from '../../cel/types/schemaTypes.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { groupResource } from '../../registry/resource.ts'
import { PendingConversion, whenConverted } from '../../registry/versions/remoteConversion.ts'
import type { AdmissionPlugin, MutationRound } from '../admissionPlugin.ts'
import { isSubjectToPolicies } from '../exemptKinds.ts'
import { Reinvocation } from '../reinvocation.ts'
import { inTurns } from '../reviewTurns.ts'
import { requestVariables } from '../requestVariables.ts'
import { targetOf } from '../webhooks/validatingWebhooks.ts'
import { inVersion, versioned } from '../webhooks/webhookCaller.ts'
import { ExpressionScope } from './expressionScope.ts'
import { otherKindProblem } from './otherKind.ts'
import { mutated, type TypeProblem } from './mutations.ts'
import { policyConcerns, type PoliciesOptions } from './policyMatch.ts'
import { policyParams, PolicyConfigurationError } from './policyParams.ts'
import type { MatchedPolicy } from './registeredPolicies.ts'

export interface MutatingPoliciesOptions extends PoliciesOptions {
  typeProblem: TypeProblem
}

/**
 * Policy that cannot be applied. Other mutations continue, and the first error is reported at the
 * end.
 */
interface Problem {
  matched: MatchedPolicy
  message: string
  reason: StatusReason
  /** True if the error is caused by the policy itself, not by a binding. */
  isOfPolicy: boolean
}

/** Combination of a policy, a binding and one parameter. */
interface Invocation {
  matched: MatchedPolicy
  param: ApiObject | null
  /** Key of this invocation within one write. */
  key: string
}

/**
 * Applies the mutations of the policies bound to a request, in sequence. Policies that ran before a change and ask for
 * reinvocation run once more. Source: Kubernetes, "Mutating Admission Policy".
 */
export function mutatingPolicies(options: MutatingPoliciesOptions): AdmissionPlugin {
  const { policies } = options
  const plugin: AdmissionPlugin = {
    name: 'MutatingAdmissionPolicy',
    get generation() {
      return policies.generation
    },
    handles: (target) =>
      !policies.isEmpty &&
      target.operation !== 'DELETE' &&
      isSubjectToPolicies(target) &&
      policies.matching(target).length > 0,
    mutate: async (request, round) => {
      const problems: Problem[] = []
      const invocations = await invocationsOf(request, options, problems)
      if (invocations.length > 0) {
        const seen = Reinvocation.of<string>(plugin, round, request.object)
        const progress: Progress = { seen, round, problems, isDirty: false }
        for (const invocation of invocations) {
          const before = request.object
          const begin = () => {
            // Admission may restart after a conversion, so it needs the original object.
            request.object = before
            return new Invoked(invocation, request, options, progress).steps()
          }
          await whenConverted(() => inTurns(begin(), request))
        }
        // A policy with reinvocation also runs again after its own change.
        if (progress.isDirty) {
          seen.changed()
          round.reinvoke = true
        }
        seen.leave(request.object)
      }
      tell(problems, request)
    },
  }
  return plugin
}

async function invocationsOf(
  request: AdmissionRequest,
  options: MutatingPoliciesOptions,
  problems: Problem[],
): Promise<Invocation[]> {
  const { policies, objects, resources } = options
  const found: Invocation[] = []
  for (const matched of policies.matching(targetOf(request))) {
    if (!policyConcerns(matched, request, options)) continue
    try {
      for (const param of await policyParams(matched, request, objects, resources())) {
        const names = [matched.policy.name, matched.binding.name]
        const { namespace = '', name = '' } = param?.metadata ?? {}
        found.push({ matched, param, key: [...names, namespace, name].join('/') })
      }
    } catch (error) {
      if (!(error instanceof PolicyConfigurationError)) throw error
      const { message, isOfPolicy } = error
      problems.push({ matched, message, reason: 'Forbidden', isOfPolicy })
    }
  }
  return found
}

interface Progress {
  seen: Reinvocation<string>
  round: MutationRound
  problems: Problem[]
  /** True after a mutation, even if it did not change the object. */
  isDirty: boolean
}

/** Application of a policy to a request. */
class Invoked {
  readonly #invocation: Invocation
  readonly #request: AdmissionRequest
  readonly #options: MutatingPoliciesOptions
  readonly #progress: Progress

  constructor(
    invocation: Invocation,
    request: AdmissionRequest,
    options: MutatingPoliciesOptions,
    progress: Progress,
  ) {
    this.#invocation = invocation
    this.#request = request
    this.#options = options
    this.#progress = progress
  }

  /**
   * Applies the mutations, one per step.
   * @throws StatusError for a patch that does not result in an object, and 413 if the result is
   * larger than an object in a request may be.
   */
  *steps(): Steps<void> {
    const { matched, key } = this.#invocation
    const { seen, round } = this.#progress
    if (!(yield* this.#matches())) return
    if (!seen.isDue(key, round)) return
    const before = this.#request.object
    for (const mutation of matched.policy.spec.mutations ?? []) {
      this.#apply(mutation)
      yield
    }
    if (!isDeepStrictEqual(before, this.#request.object)) {
      seen.changed()
      round.reinvoke = true
    }
    if (matched.policy.spec.reinvocationPolicy === 'IfNeeded') seen.ran(key)
  }

  *#matches(): Steps<boolean> {
    const { matched, param } = this.#invocation
    const { conditions, spec } = matched.policy
    const { matches, error } = yield* conditions.steps(() => {
      const { variables = [] } = spec
      const { compiled } = matched.policy
      return new ExpressionScope({ base: this.#variables(), param, variables, compiled }).values
    })
    if (error !== undefined) this.#fail(error)
    return matches
  }

  #variables() {
    const { namespace, authorizerOf } = this.#options
    const { matched } = this.#invocation
    const seen = versioned(matched, this.#request)
    return requestVariables(seen, namespace, authorizerOf(this.#request))
  }

  #apply(mutation: Mutation): void {
    const request = this.#request
    if (request.object === undefined) return
    const { matched, param } = this.#invocation
    const { kind, object } = versioned(matched, request)
    if (object === undefined) return
    try {
      const base = this.#variables()
      const { policy } = matched
      const { typeProblem } = this.#options
      const kindProblem = (changed: object, was: ApiObject) =>
        otherKindProblem(changed, was, this.#options.resources())
      const made = mutated({
        ...{ policy, mutation, base, param, object, kind },
        ...{ typeProblem, kindProblem },
      })
      this.#progress.isDirty = true
      checkSize(made)
      request.object = inVersion(made, kind, request.kind)
    } catch (error) {
      if (error instanceof StatusError || error instanceof PendingConversion) throw error
      this.#fail(messageOf(error))
    }
  }

  #fail(message: string): void {
    const { matched } = this.#invocation
    this.#progress.problems.push({ matched, message, reason: 'Invalid', isOfPolicy: false })
  }
}

/** Refuses an object that a policy made larger than requests allow. @throws StatusError 413. */
function checkSize(object: ApiObject): void {
  if (Buffer.byteLength(jsonText(object)) > maxRequestBytes)
    throw requestEntityTooLarge(`limit is ${maxRequestBytes}`)
}

/** Reports problems. @throws StatusError for the first problem, with all problems as causes. */
function tell(problems: readonly Problem[], { resource, name, object }: AdmissionRequest): void {
  const told = problems.filter(({ matched }) => matched.policy.spec.failurePolicy !== 'Ignore')
  const [first] = told
  if (first === undefined) return
  const messages = told.map(problemText)
  const shown = name === '' ? (object?.metadata.generateName ?? '') : name
  const { details } = forbidden(groupResource(resource), shown, '')
  throw new StatusError(403, first.reason, messages[0] ?? '', {
    details: { ...details, causes: messages.map((message) => ({ message })) },
  })
}

function problemText({ matched: { policy, binding }, message, isOfPolicy }: Problem): string {
  const subject = isOfPolicy
    ? `policy ${goQuote(policy.name)}`
    : `policy '${policy.name}' with binding '${binding.name}'`
  return `${subject} denied request: ${message}`
}
