import { parseFieldSelector } from '../../apiserver/meta/selectors/fieldSelector.ts'
import { parseLabelSelector } from '../../apiserver/meta/selectors/labelSelector.ts'
import type { ListOptions } from '../../apiserver/registry/read/listOptions.ts'

/** Partial options, with selectors in the form of the query. */
export interface GivenOptions extends Partial<
  Omit<ListOptions, 'labelSelector' | 'fieldSelector'>
> {
  labelSelector?: string
  fieldSelector?: string
}

/** A list without any query. */
export const noOptions: ListOptions = {
  labelSelector: undefined,
  fieldSelector: undefined,
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
  watch: false,
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
  timeoutSeconds: undefined,
}

/** A list with these options. */
export function listOptions({ labelSelector, fieldSelector, ...given }: GivenOptions): ListOptions {
  return {
    ...noOptions,
    ...given,
    labelSelector: labelSelector === undefined ? undefined : parseLabelSelector(labelSelector),
    fieldSelector: fieldSelector === undefined ? undefined : parseFieldSelector(fieldSelector),
  }
}
