import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'

/** Addresses that mean no other machine: what they are in the words of the API. */
const ranges: readonly (readonly [RegExp, string])[] = [
  [/^(0\.0\.0\.0|::|0(:0){7})$/, 'may not be unspecified (%s)'],
  [/^(127\.|::1$|0(:0){6}:1$)/, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  [
    /^(169\.254\.|fe[89ab][0-9a-f]:)/i,
    'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  [
    /^(224\.0\.0\.|ff[0-9a-f]2:)/i,
    'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  ],
]

/** Source: observed answers. */
export function endpointAddressErrors(path: string, address: string): FieldError[] {
  return ranges
    .filter(([pattern]) => pattern.test(address))
    .map(([, detail]) => invalidField(path, address, detail.replace('%s', address)))
}
