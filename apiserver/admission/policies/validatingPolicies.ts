import { StatusError, type StatusReason } from '../../meta/status.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { groupResource } from '../../registry/resource.ts'
import { whenConverted } from '../../registry/versions/remoteConversion.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { isSubjectToPolicies } from '../exemptKinds.ts'
import { inTurns } from '../reviewTurns.ts'
import { requestVariables } from '../requestVariables.ts'
import { targetOf } from '../webhooks/validatingWebhooks.ts'
import { versioned } from '../webhooks/webhookCaller.ts'
import { PolicyEvaluation, type Failure } from './policyEvaluation.ts'
import { policyParams, PolicyConfigurationError } from './policyParams.ts'
import { policyConcerns, type PoliciesOptions } from './policyMatch.ts'
import type { MatchedPolicy } from './registeredPolicies.ts'

/**
 * Evaluates the policies bound to a request, then reports the first denial.
 * Source: Kubernetes, "Validating Admission Policy".
 */
export function validatingPolicies(options: PoliciesOptions): AdmissionPlugin {
  const { policies } = options
  return {
    name: 'ValidatingAdmissionPolicy',
    get generation() {
      return policies.generation
    },
    handles: (target) =>
      !policies.isEmpty && isSubjectToPolicies(target) && policies.matching(target).length > 0,
    validate: async (request) => {
      const results: Result[] = []
      for (const matched of policies.matching(targetOf(request))) {
        if (!policyConcerns(matched, request, options)) continue
        results.push(await evaluate(matched, request, options))
      }
      tell(results, request)
    },
  }
}

interface Result {
  matched: MatchedPolicy
  failures: Failure[]
  annotations: [key: string, value: string][]
}

async function evaluate(
  matched: MatchedPolicy,
  request: AdmissionRequest,
  { objects, resources, namespace, authorizerOf }: PoliciesOptions,
): Promise<Result> {
  const { policy } = matched
  const isIgnoring = policy.spec.failurePolicy === 'Ignore'
  const result: Result = { matched, failures: [], annotations: [] }
  const fail = (message: string, isOfPolicy = false) => {
    if (isIgnoring) return
    result.failures.push({ message, reason: '', expressionIndex: 0, isOfPolicy })
  }
  try {
    const params = await policyParams(matched, request, objects, resources())
    const shown = await whenConverted(() => versioned(matched, request))
    const base = requestVariables(shown, namespace, authorizerOf(request))
    for (const param of params) {
      const evaluation = new PolicyEvaluation(policy, base, param)
      const conditions = policy.conditions.steps(() => evaluation.values)
      const { matches, error } = await inTurns(conditions, request)
      if (error !== undefined) fail(error)
      if (!matches) continue
      const { failures, annotations } = await inTurns(evaluation.steps(), request)
      result.failures.push(...failures.filter((one) => !isIgnoring || !isError(one)))
      result.annotations.push(...annotations)
    }
  } catch (error) {
    if (!(error instanceof PolicyConfigurationError)) throw error
    fail(error.message, error.isOfPolicy)
  }
  return result
}

function isError({ message }: Failure): boolean {
  return /^expression '[^]*' resulted in error: /.test(message)
}

const failureKey = 'validation.policy.admission.k8s.io/validation_failure'

/** Reports denials, warnings and audit annotations. @throws StatusError. */
function tell(results: readonly Result[], request: AdmissionRequest): void {
  const { review, context } = request
  const audited: object[] = []
  let denied: { result: Result; failure: Failure } | undefined
  for (const result of results) {
    const { policy, binding } = result.matched
    const { validationActions = [] } = binding.spec
    for (const failure of result.failures) {
      const { message, expressionIndex } = failure
      if (validationActions.includes('Deny')) denied ??= { result, failure }
      if (validationActions.includes('Audit')) {
        const names = { policy: policy.name, binding: binding.name }
        audited.push({ message, ...names, expressionIndex, validationActions })
      }
      if (validationActions.includes('Warn')) {
        const subject = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`
        context.warn(`Validation failed for ${subject}: ${message}`)
      }
    }
  }
  if (audited.length > 0) review.annotate(failureKey, JSON.stringify(audited))
  for (const [key, values] of annotationsOf(results)) review.annotate(key, values.join(', '))
  if (denied !== undefined) throw denial(denied.result.matched, denied.failure, request)
}

function annotationsOf(results: readonly Result[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const { matched, annotations } of results) {
    for (const [key, value] of annotations) {
      const name = `${matched.policy.name}/${key}`
      const known = values.get(name) ?? []
      if (!known.includes(value)) values.set(name, [...known, value])
    }
  }
  return values
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
}

function denial(
  { policy, binding }: MatchedPolicy,
  { message, reason, isOfPolicy }: Failure,
  { resource, name, review }: AdmissionRequest,
): StatusError {
  const named = `ValidatingAdmissionPolicy '${policy.name}'`
  const subject = isOfPolicy === true ? named : `${named} with binding '${binding.name}'`
  const told = `${subject} denied request: ${message}`
  const shown = review.isCollection === true ? 'Unknown' : name
  const refusal = forbidden(groupResource(resource), shown, told)
  const known = (reason === '' ? 'Invalid' : reason) as StatusReason // validated
  return new StatusError(codes[known] ?? 422, known, refusal.message, {
    details: { ...refusal.details, causes: [{ message: told }] },
  })
}
