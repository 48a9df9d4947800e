import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import { listLength } from '../../columns.ts'
import { fillMissing } from '../../fill.ts'
import { builtInKind, type KindContext, type BuiltInKind } from '../builtInKind.ts'
import { admissionGroup, admissionPlural } from './admissionNames.ts'
import { bindingParamRights, policyParamRights } from './paramRights.ts'
import { setMatchDefaults } from './matchResourcesRules.ts'
import { paramKindColumn, paramRefColumn, policyNameColumn } from './policyColumns.ts'
import { bindingSpec, policySpec } from './policyShapes.ts'

/** Properties in which kinds of policies and bindings differ. */
interface PolicyKind
  extends
    Pick<BuiltInKind, 'kind' | 'description' | 'subresources'>,
    Pick<Strategy, 'declaredErrors'> {
  errors: (object: ApiObject) => FieldError[]
}

/** Kind of policies. `counted`: the field of the spec whose items its table counts. */
export function policyKind(
  context: KindContext,
  kind: PolicyKind,
  counted: 'mutations' | 'validations',
): ResourceDefinition {
  const name = `${counted.charAt(0).toUpperCase()}${counted.slice(1)}`
  return admissionKind(context, kind, {
    authorizeWrite: policyParamRights({ ...kind, access: context.access }),
    setDefaults: (object) => {
      const spec = policySpec(object)
      fillMissing(spec, { failurePolicy: 'Fail' })
      if (spec.matchConstraints !== undefined) setMatchDefaults(spec.matchConstraints)
    },
    columns: [
      {
        name,
        type: 'integer',
        description: `${name} indicates the number of ${counted} rules defined in this configuration`,
        cell: (object) => listLength(object, `spec.${counted}`),
      },
      paramKindColumn,
    ],
  })
}

/** Kind of bindings of policies. */
export function policyBindingKind(context: KindContext, kind: PolicyKind): ResourceDefinition {
  return admissionKind(context, kind, {
    authorizeWrite: bindingParamRights({ ...kind, access: context.access }),
    setDefaults: (object) => {
      const { matchResources } = bindingSpec(object)
      if (matchResources !== undefined) setMatchDefaults(matchResources)
    },
    columns: [policyNameColumn, paramRefColumn],
  })
}

function admissionKind(
  { types }: KindContext,
  { errors, declaredErrors = [], ...kind }: PolicyKind,
  {
    authorizeWrite,
    setDefaults,
    columns,
  }: {
    authorizeWrite: NonNullable<Strategy['authorizeWrite']>
    setDefaults: (object: ApiObject) => void
    columns: NonNullable<ResourceDefinition['columns']>
  },
): ResourceDefinition {
  return builtInKind(types, {
    ...kind,
    group: admissionGroup,
    version: 'v1',
    plural: admissionPlural(kind.kind),
    namespaced: false,
    categories: ['api-extensions'],
    strategy: {
      allowUnconditionalUpdate: false,
      generation: 'spec',
      authorizeWrite,
      setDefaults,
      declaredErrors,
      validate: errors,
      validateUpdate: errors,
    },
    columns: [nameColumn, ...columns, ageColumn],
  })
}
