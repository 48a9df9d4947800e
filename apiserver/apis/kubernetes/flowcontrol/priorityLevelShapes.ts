import type { ApiObject } from '../../../meta/types.ts'

export interface LevelSpec {
  type?: string
  limited?: LimitedLevel
  exempt?: ExemptLevel
}

export interface LimitedLevel {
  nominalConcurrencyShares?: number | null
  limitResponse?: LimitResponse
  lendablePercent?: number
  borrowingLimitPercent?: number
}

export interface LimitResponse {
  type?: string
  queuing?: Queuing
}

export interface Queuing {
  queues?: number
  handSize?: number
  queueLengthLimit?: number
}

export interface ExemptLevel {
  nominalConcurrencyShares?: number
  lendablePercent?: number
}

export function levelSpec(object: ApiObject): LevelSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

/** Spec as error messages show it: all fields, with the names of the internal type. */
export function shownLevel({ type = '', limited, exempt }: LevelSpec): unknown {
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

function shownLimited({ limitResponse = {}, ...limited }: LimitedLevel): unknown {
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
