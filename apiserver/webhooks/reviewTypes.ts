import type { GoType } from './goStruct.ts'

const text = (go = 'string'): GoType => ({ go, scalar: 'string' })
const int = (go: string): GoType => ({ go, scalar: 'int' })
const list = (item: string, items: GoType): GoType => ({ go: `[]${item}`, items })

const causes = list('v1.StatusCause', {
  ...{ go: 'v1.StatusCause', struct: 'StatusCause' },
  fields: { reason: text('v1.CauseType'), message: text(), field: text() },
})

const status: GoType = {
  ...{ go: 'v1.Status', struct: 'Status' },
  fields: {
    ...{ kind: text(), apiVersion: text() },
    metadata: {
      ...{ go: 'v1.ListMeta', struct: 'ListMeta' },
      fields: {
        ...{ selfLink: text(), resourceVersion: text(), continue: text() },
        remainingItemCount: int('int64'),
      },
    },
    ...{ status: text(), message: text(), reason: text('v1.StatusReason') },
    details: {
      ...{ go: 'v1.StatusDetails', struct: 'StatusDetails' },
      fields: {
        ...{ name: text(), group: text(), kind: text(), uid: text('types.UID'), causes },
        retryAfterSeconds: int('int32'),
      },
    },
    code: int('int32'),
  },
}

const uid = text('types.UID')

/** Type of the response to an admission review. */
export const admissionReview: GoType = {
  ...{ go: 'v1.AdmissionReview', struct: 'AdmissionReview' },
  fields: {
    ...{ kind: text(), apiVersion: text() },
    response: {
      ...{ go: 'v1.AdmissionResponse', struct: 'AdmissionResponse' },
      fields: {
        ...{ uid, allowed: { go: 'bool', scalar: 'bool' }, status },
        patch: { go: '[]uint8', scalar: 'bytes' },
        patchType: { go: 'v1.PatchType', scalar: 'string', isPointer: true },
        auditAnnotations: { go: 'map[string]string', values: text() },
        warnings: list('string', text()),
      },
    },
  },
}

/** Type of the response to a conversion review. */
export const conversionReview: GoType = {
  ...{ go: 'v1.ConversionReview', struct: 'ConversionReview' },
  fields: {
    ...{ kind: text(), apiVersion: text() },
    response: {
      ...{ go: 'v1.ConversionResponse', struct: 'ConversionResponse' },
      fields: {
        uid,
        convertedObjects: list('runtime.RawExtension', {
          go: 'runtime.RawExtension',
          scalar: 'any',
        }),
        result: status,
      },
    },
  },
}
