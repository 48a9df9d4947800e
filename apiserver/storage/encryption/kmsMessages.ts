/** Messages of the KMS v2 API and of the values that it encrypts, as protobufjs reads them.
 *  Source: Kubernetes, `kms/apis/v2/api.proto` and `kmsv2/v2/api.proto`. */
export const kmsDescriptor = {
  nested: {
    StatusRequest: { fields: {} },
    StatusResponse: message({
      version: ['string', 1],
      healthz: ['string', 2],
      keyId: ['string', 3],
    }),
    EncryptRequest: message({ plaintext: ['bytes', 1], uid: ['string', 2] }),
    EncryptResponse: message({ ciphertext: ['bytes', 1], keyId: ['string', 2] }, 3),
    DecryptRequest: message(
      { ciphertext: ['bytes', 1], uid: ['string', 2], keyId: ['string', 3] },
      4,
    ),
    DecryptResponse: message({ plaintext: ['bytes', 1] }),
    EncryptedObject: message(
      {
        encryptedData: ['bytes', 1],
        keyId: ['string', 2],
        encryptedDekSource: ['bytes', 3],
        encryptedDekSourceType: ['int32', 5],
      },
      4,
    ),
  },
}

export interface StatusResponse {
  version: string
  healthz: string
  keyId: string
}

export interface EncryptResponse {
  ciphertext: Uint8Array
  keyId: string
  annotations: Readonly<Record<string, Uint8Array>>
}

/** Stored value: data encrypted with a key that only the KMS can decrypt. */
export interface EncryptedObject {
  encryptedData: Uint8Array
  keyId: string
  encryptedDekSource: Uint8Array
  annotations: Readonly<Record<string, Uint8Array>>
  /** Type of the source; 0: an AES-GCM key; 1: a seed from which keys are derived. */
  encryptedDekSourceType: number
}

/** Message with fields. `annotations`: number of the field of that name, a map to bytes; absent: none. */
function message(
  fields: Record<string, readonly [type: string, id: number]>,
  annotations?: number,
) {
  const plain = Object.entries(fields).map(([name, [type, id]]) => [name, { type, id }] as const)
  const map = { keyType: 'string', type: 'bytes', id: annotations ?? 0 }
  return {
    fields: Object.fromEntries(
      annotations === undefined ? plain : [...plain, ['annotations', map] as const],
    ),
  }
}
