import type { FieldError } from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import type { NodeSpec, NodeStatus } from '../../shapes/coreV1.ts'
import { nodeProxySubresource } from '../proxy/nodeProxy.ts'
import { fillAllocatable, refillAllocatable } from './nodeCapacity.ts'
import { refusedLabel } from '../../fieldLabels.ts'
import { builtInKind, statusSubresource, type KindContext } from '../../builtInKind.ts'
import { cellColumn, textColumn, valueAt, wide } from '../../../columns.ts'
import { fillRanges, nodeChangeErrors, nodeErrors } from './nodeRules.ts'

interface NodeObject {
  spec?: NodeSpec
  status?: NodeStatus & {
    conditions?: { type: string; status: string }[]
    config?: unknown
    addresses?: { type: string; address: string }[]
  }
}

/** Definition of the Node kind, which is only stored. Source: Kubernetes API reference, Node v1. */
export function nodeResource(context: KindContext): ResourceDefinition {
  const { types } = context
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'nodes',
    kind: 'Node',
    namespaced: false,
    shortNames: ['no'],
    description: 'Node is a machine that pods run on.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'none',
      resetsStatus: 'onUpdate',
      setDefaults: (object) => {
        fillRanges(asNode(object).spec)
        fillAllocatable(object)
      },
      // Configuration sources are no longer supported; existing nodes keep theirs.
      prepareForCreate: (object) => {
        delete asNode(object).spec?.configSource
        delete asNode(object).status?.config
      },
      prepareForUpdate: (next, old) => {
        if (asNode(old).spec?.configSource === undefined) delete asNode(next).spec?.configSource
      },
      canonicalize: refillAllocatable,
      validate: (object) => nodeErrors(asNode(object)),
      validateUpdate: (next, old) => [...nodeErrors(asNode(next)), ...changeErrors(next, old)],
      warningsOnCreate: nodeWarnings,
      warningsOnUpdate: nodeWarnings,
    },
    subresources: [
      statusSubresource(changeErrors, {
        prepareForUpdate: dropConfigStatus,
        canonicalize: refillAllocatable,
      }),
      nodeProxySubresource(context),
    ],
    isNamespaceSelectable: false,
    refusedField: refusedLabel,
    selectableFields: {
      'spec.unschedulable': (object) => String(asNode(object).spec?.unschedulable === true),
    },
    columns: [
      nameColumn,
      cellColumn('Status', 'Whether pods can run on the node.', statusText),
      cellColumn('Roles', 'Roles of the node, from its labels.', rolesText),
      ageColumn,
      textColumn('Version', 'status.nodeInfo.kubeletVersion', 'Kubelet version.'),
      wide(addressColumn('Internal-IP', 'InternalIP')),
      wide(addressColumn('External-IP', 'ExternalIP')),
      wide(infoColumn('OS-Image', 'osImage')),
      wide(
        cellColumn('Kernel-Version', 'Kernel version and architecture of the node.', kernelText),
      ),
      wide(infoColumn('Container-Runtime', 'containerRuntimeVersion')),
    ],
  })
}

function asNode(object: ApiObject): NodeObject {
  // Guaranteed by the schema.
  return object as NodeObject
}

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  return nodeChangeErrors(asNode(next), asNode(old))
}

/** Drops the configuration status, which is no longer supported, unless the node already has it. */
function dropConfigStatus(next: ApiObject, old: ApiObject): void {
  if (asNode(old).status?.config === undefined) delete asNode(next).status?.config
}

function nodeWarnings(object: ApiObject): string[] {
  const { externalID = '' } = asNode(object).spec ?? {}
  return externalID === ''
    ? []
    : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']
}

function statusText(object: ApiObject): string {
  const { spec, status } = asNode(object)
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return spec?.unschedulable === true ? `${text},SchedulingDisabled` : text
}

const rolePrefix = 'node-role.kubernetes.io/'

function rolesText({ metadata: { labels = {} } }: ApiObject): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)]
    return key === 'kubernetes.io/role' ? [value] : []
  })
  const named = roles.filter((role) => role !== '').sort()
  return named.length === 0 ? '<none>' : named.join(',')
}

function addressColumn(name: string, type: string) {
  return cellColumn(name, `Address of the type ${type}.`, (object) => {
    const addresses = asNode(object).status?.addresses ?? []
    return addresses.find((one) => one.type === type)?.address ?? '<none>'
  })
}

function kernelText(object: ApiObject): string {
  const kernel = valueAt(object, 'status.nodeInfo.kernelVersion')
  const architecture = valueAt(object, 'status.nodeInfo.architecture')
  const text = typeof kernel === 'string' && kernel !== '' ? kernel : '<unknown>'
  return typeof architecture === 'string' && architecture !== ''
    ? `${text} (${architecture})`
    : text
}

function infoColumn(name: string, field: string) {
  return cellColumn(name, `What the node says of its ${field}.`, (object) => {
    const value = valueAt(object, `status.nodeInfo.${field}`)
    return typeof value === 'string' && value !== '' ? value : '<unknown>'
  })
}
