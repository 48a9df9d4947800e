import type { LevelSpec } from './priorityLevelShapes.ts'

export interface StartPriorityLevel {
  name: string
  spec: LevelSpec
}

/** The levels that every server needs: their spec is fixed, except for the share of the exempt one.
 *  Source: seen on kube-apiserver 1.37.2. */
export const mandatoryPriorityLevels: readonly StartPriorityLevel[] = [
  {
    name: 'exempt',
    spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  },
  {
    name: 'catch-all',
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 5,
        limitResponse: { type: 'Reject' },
        lendablePercent: 0,
      },
    },
  },
]

/** The levels that a plane starts with; they may be changed. */
export const suggestedPriorityLevels: readonly StartPriorityLevel[] = [
  queued('global-default', { shares: 20, lendable: 50, queues: 128, hand: 6 }),
  queued('leader-election', { shares: 10, lendable: 0, queues: 16, hand: 4 }),
  queued('node-high', { shares: 40, lendable: 25, queues: 64, hand: 6 }),
  queued('system', { shares: 30, lendable: 33, queues: 64, hand: 6 }),
  queued('workload-high', { shares: 40, lendable: 50, queues: 128, hand: 6 }),
  queued('workload-low', { shares: 100, lendable: 90, queues: 128, hand: 6 }),
]

interface Queued {
  shares: number
  lendable: number
  queues: number
  hand: number
}

function queued(name: string, { shares, lendable, queues, hand }: Queued): StartPriorityLevel {
  const queuing = { queues, handSize: hand, queueLengthLimit: 50 }
  const limited = {
    nominalConcurrencyShares: shares,
    limitResponse: { type: 'Queue', queuing },
    lendablePercent: lendable,
  }
  return { name, spec: { type: 'Limited', limited } }
}
