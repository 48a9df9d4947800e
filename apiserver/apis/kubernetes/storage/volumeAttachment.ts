import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn, valueAt } from '../../columns.ts'
import { errorIf, fixed, givenName, isSame } from '../../fieldChecks.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import { inlineVolumeErrors } from '../core/volume/volumeSpecRules.ts'
import { setSourceDefaults } from '../core/volume/volumeDefaults.ts'
import { driverErrors } from '../core/volume/volumeSources.ts'
import type {
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeError,
} from '../shapes/storageV1.ts'

/**
 * Definition of the VolumeAttachment kind. Source: Kubernetes API reference, VolumeAttachment v1; seen on
 * kube-apiserver 1.37.2.
 */
export function volumeAttachmentResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'volumeattachments',
    kind: 'VolumeAttachment',
    namespaced: false,
    description: 'VolumeAttachment requests that a volume is attached to a node.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'none',
      deletion: { returnsObject: true },
      allowUnconditionalUpdate: false,
      setDefaults: (object) => {
        const { inlineVolumeSpec } = specOf(object).source ?? {}
        if (inlineVolumeSpec === undefined) return
        inlineVolumeSpec.volumeMode ??= 'Filesystem'
        setSourceDefaults(inlineVolumeSpec)
      },
      validate: (object) => attachmentErrors(object, true),
      validateUpdate: changeErrors,
    },
    subresources: [bareStatusSubresource(changeErrors, { nameRule: 'subdomain' })],
    columns: [
      nameColumn,
      {
        ...textColumn('Attacher', 'spec.attacher', 'Driver that attaches the volume.'),
        format: 'name',
      },
      textColumn('PV', 'spec.source.persistentVolumeName', 'Volume to attach.'),
      textColumn('Node', 'spec.nodeName', 'Node that the volume is attached to.'),
      {
        name: 'Attached',
        type: 'boolean',
        description: 'Whether the volume is attached.',
        cell: (object) => valueAt(object, 'status.attached') === true,
      },
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): VolumeAttachmentSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

/**
 * Errors for an attachment. In an update, the older rule reports an invalid driver: the declarative
 * rule stops at the changed spec. Source: seen on kube-apiserver 1.37.2.
 */
function attachmentErrors(object: ApiObject, isNew: boolean): FieldError[] {
  const { attacher = '', nodeName = '', source = {} } = specOf(object)
  const { persistentVolumeName: volume } = source
  const others = [
    ...sourceErrors('spec.source', source),
    ...givenName('spec.nodeName', nodeName, subdomainErrors),
    ...statusErrors(object),
    ...givenName('spec.source.persistentVolumeName', volume, subdomainErrors),
  ]
  return isNew
    ? [...others, ...attacherErrors('spec.attacher', attacher)]
    : [...driverErrors('spec.attacher', attacher), ...others]
}

/** Errors for a driver whose name may have upper-case letters; its length is reported last. */
function attacherErrors(path: string, attacher: string): FieldError[] {
  const errors = driverErrors(path, attacher).map((error) => ({
    ...error,
    message: error.message
      .replace('63 bytes', '63 characters')
      .replace('253 characters', '253 bytes')
      .replace(
        'a lowercase RFC 1123 subdomain must consist of lower case',
        'an RFC 1123 subdomain must consist of',
      )
      .replace("'example.com'", "'Example.com'"),
  }))
  return errors.reverse()
}

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

function sourceErrors(
  path: string,
  {
    persistentVolumeName: volume,
    inlineVolumeSpec: inline,
  }: NonNullable<VolumeAttachmentSpec['source']>,
): FieldError[] {
  if (inline !== undefined && volume !== undefined) return [forbiddenField(path, oneSource)]
  if (inline !== undefined) return inlineVolumeErrors(`${path}.inlineVolumeSpec`, inline)
  if (volume === undefined) return [requiredField(path, oneSource)]
  return errorIf(volume === '', () =>
    requiredField(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName'),
  )
}

const maxMetadataBytes = 256 * 1024
const maxMessageBytes = 1024

function statusErrors(object: ApiObject): FieldError[] {
  // Guaranteed by the schema.
  const status = (object['status'] ?? {}) as VolumeAttachmentStatus
  const size = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return [
    ...errorIf(size > maxMetadataBytes, () =>
      tooLongField('status.attachmentMetadata', maxMetadataBytes),
    ),
    ...problemErrors('status.attachError', status.attachError ?? {}),
    ...problemErrors('status.detachError', status.detachError ?? {}),
  ]
}

function problemErrors(path: string, { message = '', errorCode = 0 }: VolumeError): FieldError[] {
  return [
    ...errorIf(Buffer.byteLength(message) > maxMessageBytes, () =>
      tooLongField(`${path}.message`, maxMessageBytes),
    ),
    ...errorIf(errorCode < 0, () =>
      invalidField(`${path}.errorCode`, errorCode, 'must be between 0 and 2147483647, inclusive'),
    ),
  ]
}

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  return [
    ...attachmentErrors(next, isSame(specOf(next), specOf(old))),
    ...fixed('spec', specOf(next), specOf(old)),
  ]
}
