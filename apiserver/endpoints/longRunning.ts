import type { Exchange } from './exchange.ts'

/**
 * Reports whether a request is passed on to a server that may take any time: neither the duration
 * nor the number of such requests is limited. Source: kube-apiserver 1.37.2, long-running
 * subresources.
 */
export function isLongRunning(exchange: Exchange): boolean {
  const { info, plane } = exchange
  if (plane.remote?.isLongRunning(exchange) === true) return true
  return plane.proxy !== undefined && info.isResource && info.subresource === 'proxy'
}
