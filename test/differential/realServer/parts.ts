import { admissionParts } from './admissionPart.ts'
import { fieldPart } from './admission/fieldPart.ts'
import { securityPart } from './admission/securityPart.ts'
import { conversionPart } from './webhooks/conversionPart.ts'
import { hookPart } from './webhooks/hookPart.ts'
import { definitionPart } from './definitionPart.ts'
import { documentPart } from './documentPart.ts'
import type { Part } from './part.ts'
import { rightsPart } from './rightsPart.ts'
import { sequencePart } from './sequencePart.ts'
import { writePart } from './writePart.ts'

export const parts: readonly Part[] = [
  documentPart,
  writePart,
  definitionPart,
  sequencePart,
  rightsPart,
  ...admissionParts,
  hookPart,
  conversionPart,
  fieldPart,
  securityPart,
]
