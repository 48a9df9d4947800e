import type { ListOptions } from '../../apiserver/registry/listOptions.ts'

/** A list without any query. */
export const noOptions: ListOptions = {
  labelSelector: '',
  fieldSelector: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  limit: 0,
  continueToken: '',
  watch: false,
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
  timeoutSeconds: undefined,
}
