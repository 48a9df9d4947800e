import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { between, errorIf, given, isSame } from '../../fieldChecks.ts'
import type {
  ExemptPriorityLevelConfiguration,
  LimitResponse,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../shapes/flowcontrolV1.ts'
import { levelSpec, shownLevel } from './priorityLevelShapes.ts'
import { mandatoryLevels } from './startFlowObjects.ts'

const preservedShares = 'flowcontrol.k8s.io/preserve-zero-concurrency-shares'
const exemptName = 'exempt'

export function priorityLevelErrors({ metadata, ...object }: ApiObject): FieldError[] {
  const { name = '', annotations = {} } = metadata
  const spec = levelSpec({ metadata, ...object })
  return [
    ...errorIf(Object.hasOwn(annotations, preservedShares), () =>
      forbiddenField('metadata.annotations', `annotation '${preservedShares}' is forbidden`),
    ),
    ...errorIf((name === exemptName) !== (spec.type === 'Exempt'), () =>
      invalidField('spec.type', spec.type ?? '', onlyExempt),
    ),
    ...kindErrors(spec),
    ...mandatoryErrors(name, spec),
  ]
}

const onlyExempt = "must be 'Exempt' if and only if `name` is 'exempt'"

function kindErrors({ type = '', limited, exempt }: PriorityLevelConfigurationSpec): FieldError[] {
  switch (type) {
    case 'Exempt':
      return exempt === undefined ? [] : exemptErrors('spec.exempt', exempt)
    case 'Limited':
      return limited === undefined ? [] : limitedErrors('spec.limited', limited)
    case '':
      return []
    default:
      return [notSupportedField('spec.type', type, ['Exempt', 'Limited'])]
  }
}

/** Errors for fields that do not match the type of the level or of its response. */
export function levelUnionErrors(object: ApiObject): FieldError[] {
  const { type = '', limited, exempt } = levelSpec(object)
  const { type: response = '', queuing } = limited?.limitResponse ?? {}
  const at = 'spec.limited.limitResponse'
  return [
    ...memberErrors('spec.exempt', exempt, { isAllowed: type === 'Exempt' }),
    ...memberErrors('spec.limited', limited, {
      isAllowed: type === 'Limited',
      isRequired: type === 'Limited',
    }),
    ...given('spec.type', type),
    ...(limited === undefined
      ? []
      : [
          ...memberErrors(`${at}.queuing`, queuing, {
            isAllowed: response === 'Queue',
            isRequired: response === 'Queue',
          }),
          ...given(`${at}.type`, response),
        ]),
  ]
}

function memberErrors(
  path: string,
  value: unknown,
  { isAllowed, isRequired = false }: { isAllowed: boolean; isRequired?: boolean },
): FieldError[] {
  if (value === undefined) return isRequired ? [requiredField(path)] : []
  return isAllowed ? [] : [forbiddenField(path, '')]
}

/** Errors for mandatory levels, whose spec is fixed. */
function mandatoryErrors(name: string, spec: PriorityLevelConfigurationSpec): FieldError[] {
  const wanted = mandatoryLevels.find((level) => level.name === name)?.spec
  if (wanted === undefined) return []
  const isExempt = name === exemptName
  const compared = isExempt ? { ...spec, exempt: wanted.exempt } : spec
  if (isSame(compared, wanted)) return []
  const except = isExempt ? " except the 'spec.exempt' field" : ''
  const detail = `spec of '${name}'${except} must equal the fixed value`
  return [invalidField('spec', shownLevel(spec), detail)]
}

function exemptErrors(path: string, exempt: ExemptPriorityLevelConfiguration): FieldError[] {
  return [
    ...shareErrors(`${path}.nominalConcurrencyShares`, exempt.nominalConcurrencyShares),
    ...between(`${path}.lendablePercent`, exempt.lendablePercent, [0, 100]),
  ]
}

function shareErrors(path: string, shares: number | null | undefined): FieldError[] {
  return errorIf((shares ?? 0) < 0, () =>
    invalidField(path, shares, 'must be a non-negative integer'),
  )
}

function limitedErrors(path: string, limited: LimitedPriorityLevelConfiguration): FieldError[] {
  const { limitResponse = {}, borrowingLimitPercent: borrowed } = limited
  const detail = 'if specified, must be a non-negative integer'
  return [
    ...shareErrors(`${path}.nominalConcurrencyShares`, limited.nominalConcurrencyShares),
    ...responseErrors(`${path}.limitResponse`, limitResponse),
    ...between(`${path}.lendablePercent`, limited.lendablePercent, [0, 100]),
    ...errorIf((borrowed ?? 0) < 0, () =>
      invalidField(`${path}.borrowingLimitPercent`, borrowed, detail),
    ),
  ]
}

function responseErrors(path: string, { type = '', queuing }: LimitResponse): FieldError[] {
  switch (type) {
    case 'Queue':
      return queuing === undefined ? [] : queuingErrors(`${path}.queuing`, queuing)
    case 'Reject':
    case '':
      return []
    default:
      return [notSupportedField(`${path}.type`, type, ['Queue', 'Reject'])]
  }
}

const maxQueues = 10_000_000
/** Bits of a flow's hash that select its queues. */
const hashBits = 60

function queuingErrors(path: string, queuing: QueuingConfiguration): FieldError[] {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing
  const problem = handProblem(queues, handSize)
  return [
    ...errorIf(queueLengthLimit <= 0, () =>
      invalidField(`${path}.queueLengthLimit`, queueLengthLimit, 'must be positive'),
    ),
    ...errorIf(queues <= 0, () => invalidField(`${path}.queues`, queues, 'must be positive')),
    ...errorIf(queues > maxQueues, () =>
      invalidField(`${path}.queues`, queues, `must not be greater than ${maxQueues}`),
    ),
    ...(problem === undefined ? [] : [invalidField(`${path}.handSize`, handSize, problem)]),
  ]
}

function handProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return 'must be positive'
  if (handSize > queues) return `should not be greater than queues (${queues})`
  if (Math.ceil(Math.log2(queues) * handSize) <= hashBits) return undefined
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`
}
