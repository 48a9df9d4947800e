import type { ApiObject } from '../../meta/types.ts'
import { dedupOwners } from '../../registry/write/metadataSteps.ts'
import type { Exchange } from '../exchange.ts'

/** Drops duplicate owner references of the body's object, with a warning. */
export function dedupSentOwners(object: ApiObject, { warnings }: Exchange): void {
  const warning = dedupOwners(object, 'body')
  if (warning !== undefined) warnings.add(warning)
}
