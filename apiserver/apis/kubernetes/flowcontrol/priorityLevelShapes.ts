import type { ApiObject } from '../../../meta/types.ts'
import type {
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../shapes/flowcontrolV1.ts'

export function levelSpec(object: ApiObject): PriorityLevelConfigurationSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

/** Spec as error messages show it: all fields, with the names of the internal type. */
export function shownLevel({
  type = '',
  limited,
  exempt,
}: PriorityLevelConfigurationSpec): unknown {
  return {
    Type: type,
    Limited: limited === undefined ? null : shownLimited(limited),
    Exempt:
      exempt === undefined
        ? null
        : {
            NominalConcurrencyShares: exempt.nominalConcurrencyShares ?? null,
            LendablePercent: exempt.lendablePercent ?? null,
          },
  }
}

function shownLimited({
  limitResponse = {},
  ...limited
}: LimitedPriorityLevelConfiguration): unknown {
  const { type = '', queuing } = limitResponse
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing ?? {}
  return {
    NominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0,
    LimitResponse: {
      Type: type,
      Queuing: queuing
        ? { Queues: queues, HandSize: handSize, QueueLengthLimit: queueLengthLimit }
        : null,
    },
    LendablePercent: limited.lendablePercent ?? null,
    BorrowingLimitPercent: limited.borrowingLimitPercent ?? null,
  }
}
