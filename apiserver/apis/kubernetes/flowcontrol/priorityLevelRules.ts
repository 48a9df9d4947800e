import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { between, errorIf, isSame } from '../../fieldChecks.ts'
import {
  levelSpec,
  shownLevel,
  type ExemptLevel,
  type LevelSpec,
  type LimitedLevel,
  type LimitResponse,
  type Queuing,
} from './priorityLevelShapes.ts'
import { mandatoryPriorityLevels } from './startPriorityLevels.ts'

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

function kindErrors({ type = '', limited, exempt }: LevelSpec): FieldError[] {
  switch (type) {
    case 'Exempt':
      return [
        ...errorIf(limited !== undefined, () =>
          forbiddenField('spec.limited', 'must be nil if the type is not Limited'),
        ),
        ...(exempt === undefined ? [] : exemptErrors('spec.exempt', exempt)),
      ]
    case 'Limited':
      return [
        ...errorIf(exempt !== undefined, () =>
          forbiddenField('spec.exempt', 'must be nil if the type is Limited'),
        ),
        ...(limited === undefined
          ? [requiredField('spec.limited', 'must not be empty when type is Limited')]
          : limitedErrors('spec.limited', limited)),
      ]
    case '':
      return [requiredField('spec.type')]
    default:
      return [notSupportedField('spec.type', type, ['Exempt', 'Limited'])]
  }
}

/** The levels that every server needs keep their spec. */
function mandatoryErrors(name: string, spec: LevelSpec): FieldError[] {
  const wanted = mandatoryPriorityLevels.find((level) => level.name === name)?.spec
  if (wanted === undefined) return []
  const isExempt = name === exemptName
  const compared = isExempt ? { ...spec, exempt: wanted.exempt } : spec
  if (isSame(compared, wanted)) return []
  const except = isExempt ? " except the 'spec.exempt' field" : ''
  const detail = `spec of '${name}'${except} must equal the fixed value`
  return [invalidField('spec', shownLevel(spec), detail)]
}

function exemptErrors(path: string, exempt: ExemptLevel): FieldError[] {
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

function limitedErrors(path: string, limited: LimitedLevel): FieldError[] {
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
  const at = `${path}.queuing`
  switch (type) {
    case 'Reject':
      return errorIf(queuing !== undefined, () =>
        forbiddenField(at, 'must be nil if limited.limitResponse.type is not Limited'),
      )
    case 'Queue':
      return queuing === undefined
        ? [requiredField(at, 'must not be empty if limited.limitResponse.type is Limited')]
        : queuingErrors(at, queuing)
    case '':
      return [requiredField(`${path}.type`)]
    default:
      return [
        notSupportedField(`${path}.type`, type, ['Queue', 'Reject']),
        ...errorIf(queuing !== undefined, () => forbiddenField(at, '')),
      ]
  }
}

const maxQueues = 10_000_000
/** A flow's queues are drawn from this many bits of its hash. */
const hashBits = 60

function queuingErrors(path: string, queuing: Queuing): FieldError[] {
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
