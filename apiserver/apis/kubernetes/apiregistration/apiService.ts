import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import {
  dns1035Errors,
  pathSegmentErrors,
  subdomainErrors,
} from '../../../meta/names/nameValidation.ts'
import type { ApiServiceSpec } from '../../../meta/apiServiceSpec.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { keepLabels } from '../../../registry/write/keepMetadata.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn, valueAt } from '../../columns.ts'
import { given, portNumber } from '../../fieldChecks.ts'
import { fill } from '../../fill.ts'

interface Condition {
  type?: string
  status?: string
  reason?: string
}

/**
 * Kind of objects that name the server for a group version.
 * Source: Kubernetes API reference, APIService v1; reference 9.1.
 */
export function apiServiceResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'apiregistration.k8s.io',
    version: 'v1',
    plural: 'apiservices',
    kind: 'APIService',
    namespaced: false,
    categories: ['api-extensions'],
    description: 'APIService registers the server for a group and version.',
    strategy: {
      tellsErrorsOnce: false,
      metadata: { qualifiedFinalizers: false, repeats: 'all', nameErrors },
      nameRule: 'pathSegment',
      generation: 'none',
      allowUnconditionalUpdate: false,
      setDefaults: (object) => {
        const { service } = specOf(object)
        if (service !== undefined) fill(service, { port: 443 })
      },
      prepareForCreate: (object) => {
        if (specOf(object).service === undefined) object['status'] = { conditions: [local(object)] }
      },
      validate: serviceErrors,
      validateUpdate: serviceErrors,
    },
    subresources: [bareStatusSubresource(statusErrors, { prepareForUpdate: keepLabels })],
    columns: [
      nameColumn,
      cellColumn('Service', 'Service of the server; Local for this server.', serviceText),
      cellColumn('Available', 'Whether the server is available.', availableText),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): ApiServiceSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return valueAt(object, 'spec') ?? {}
}

function conditionsOf(object: ApiObject): Condition[] {
  // Guaranteed by the schema.
  return (valueAt(object, 'status.conditions') as Condition[] | undefined) ?? []
}

/** Status of a group version that this server serves: available at once. */
function local({ metadata }: ApiObject) {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: metadata.creationTimestamp,
    reason: 'Local',
    message: 'Local APIServices are always available',
  }
}

function serviceErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { group = '', version = '' } = spec
  return [
    ...groupErrors(group, version),
    ...dns1035Errors(version).map((text) => invalidField('spec.version', version, text)),
    ...priorityErrors('spec.groupPriorityMinimum', spec.groupPriorityMinimum, 20_000),
    ...priorityErrors('spec.versionPriority', spec.versionPriority, 1_000),
    ...(spec.service === undefined ? localErrors(spec) : remoteErrors(spec, spec.service)),
  ]
}

function nameErrors(object: ApiObject): FieldError[] {
  const { name = '', generateName = '' } = object.metadata
  const { group = '', version = '' } = specOf(object)
  const wanted = `${version}.${group}`
  const detail = `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`
  // A name that is not a valid path segment is reported only as such.
  const isWrong = (given: string) => given !== wanted && pathSegmentErrors(given).length === 0
  return [
    ...(generateName !== '' && isWrong(generateName)
      ? [invalidField('metadata.generateName', generateName, detail)]
      : []),
    ...(name !== '' && isWrong(name) ? [invalidField('metadata.name', name, detail)] : []),
  ]
}

function groupErrors(group: string, version: string): FieldError[] {
  if (group !== '') {
    return subdomainErrors(group).map((text) => invalidField('spec.group', group, text))
  }
  const detail = 'only v1 may have an empty group and it better be legacy kube'
  return version === 'v1' ? [] : [requiredField('spec.group', detail)]
}

function priorityErrors(path: string, value = 0, max: number): FieldError[] {
  if (value > 0 && value <= max) return []
  return [invalidField(path, value, `must be positive and less than ${max}`)]
}

function localErrors({
  caBundle = '',
  insecureSkipTLSVerify = false,
}: ApiServiceSpec): FieldError[] {
  const bytes = `${Buffer.from(caBundle, 'base64').length} bytes`
  const [bundle, insecure] = ['spec.caBundle', 'spec.insecureSkipTLSVerify']
  return [
    ...(caBundle === ''
      ? []
      : [invalidField(bundle, bytes, 'local APIServices may not have a caBundle')]),
    ...(insecureSkipTLSVerify
      ? [invalidField(insecure, true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ]
}

function remoteErrors(
  { caBundle = '', insecureSkipTLSVerify = false }: ApiServiceSpec,
  { namespace, name, port }: NonNullable<ApiServiceSpec['service']>,
): FieldError[] {
  const path = 'spec.service'
  const wrongPort = portNumber(`${path}.port`, port).map((error) =>
    invalidField(error.field, port, `port is not valid: must be between 1 and 65535, inclusive`),
  )
  const isBoth = insecureSkipTLSVerify && caBundle !== ''
  const detail = 'may not be true if caBundle is present'
  return [
    ...given(`${path}.namespace`, namespace),
    ...given(`${path}.name`, name),
    ...wrongPort,
    ...(isBoth ? [invalidField('spec.insecureSkipTLSVerify', true, detail)] : []),
  ]
}

const conditionStatuses = ['True', 'False', 'Unknown']

function statusErrors(object: ApiObject): FieldError[] {
  return conditionsOf(object).flatMap(({ status = '' }, index) =>
    conditionStatuses.includes(status)
      ? []
      : [notSupportedField(`status.conditions[${index}].status`, status, conditionStatuses)],
  )
}

function serviceText(object: ApiObject): string {
  const { service } = specOf(object)
  return service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`
}

function availableText(object: ApiObject): string {
  const found = conditionsOf(object).find(({ type }) => type === 'Available')
  if (found === undefined) return 'Unknown'
  const { status = '', reason = '' } = found
  return status === 'True' || reason === '' ? status : `${status} (${reason})`
}
