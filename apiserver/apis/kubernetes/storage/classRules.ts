import { invalidField, tooLongField, type FieldError } from '../../../meta/fieldErrors.ts'
import { errorIf, given, qualifiedName } from '../../fieldChecks.ts'

/** Errors for the name of a driver or provisioner of volumes. */
export function provisionerErrors(path: string, name: string): FieldError[] {
  return name === '' ? given(path, name) : qualifiedName(path, name.toLowerCase())
}

const maxParameters = 512
const maxParameterBytes = 256 * 1024

/** Errors for the parameters that a class passes to its driver. */
export function parameterErrors(
  path: string,
  parameters: Readonly<Record<string, string>>,
): FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > maxParameters) return [tooLongField(path, maxParameters)]
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return [
    ...errorIf(Object.hasOwn(parameters, ''), () =>
      invalidField(path, '', 'field can not be empty.'),
    ),
    ...errorIf(bytes > maxParameterBytes, () => tooLongField(path, maxParameterBytes)),
  ]
}
