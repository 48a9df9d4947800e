import type { ApiObject } from '../../../meta/types.ts'
import { cellColumn } from '../../columns.ts'
import { bindingSpec, policySpec } from './policyShapes.ts'

export const paramKindColumn = cellColumn(
  'ParamKind',
  'ParamKind specifies the kind of resources used to parameterize this policy',
  (object) => {
    const { paramKind } = policySpec(object)
    if (paramKind === undefined) return '<unset>'
    const { apiVersion = '', kind = '' } = paramKind
    return `${apiVersion}/${kind}`
  },
)

export const policyNameColumn = cellColumn(
  'PolicyName',
  'PolicyName indicates the policy definition which the policy binding binded to',
  (object) => bindingSpec(object).policyName ?? '',
)

export const paramRefColumn = cellColumn(
  'ParamRef',
  'ParamRef indicates the param resource which sets the configuration param',
  (object) => paramRefText(object),
)

function paramRefText(object: ApiObject): string {
  const { paramRef } = bindingSpec(object)
  if (paramRef === undefined) return '<unset>'
  const { namespace = '', name = '', selector } = paramRef
  if (selector !== undefined) return namespace === '' ? '*' : `${namespace}/*`
  return namespace === '' ? name : `${namespace}/${name}`
}
