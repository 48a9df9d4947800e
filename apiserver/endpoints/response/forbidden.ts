import type { AuthorizationAttributes } from '../../authorization/authorizer.ts'
import type { StatusError } from '../../meta/status.ts'
import { forbidden, forbiddenPath } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import { refusalText } from './forbiddenText.ts'

/**
 * The 403 for a request that the authorizer refused; `reason` may be empty. Names come from clients: message and
 * headers prevent browsers from showing them as a page. Source: reference 1.3, 2.4.
 */
export function refusal(
  { response }: Exchange,
  attributes: AuthorizationAttributes,
  reason: string,
): StatusError {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  return refusedRight(attributes, reason)
}

/**
 * The 403 for a right that is checked while a request is handled. Source: seen on kube-apiserver
 * 1.37.2.
 */
export function refusedRight(attributes: AuthorizationAttributes, reason: string): StatusError {
  const why = escapeHtml(refusalText(attributes)) + (reason === '' ? '' : `: ${reason}`)
  if (!attributes.isResource) return forbiddenPath(why)
  const { group, resource, name } = attributes
  return forbidden({ group, resource }, name, why)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
