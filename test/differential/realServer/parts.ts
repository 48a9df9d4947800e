import { admissionParts } from './admission/admissionPart.ts'
import { fieldPart } from './admission/fieldPart.ts'
import { securityPart } from './admission/securityPart.ts'
import { conversionPart } from './webhooks/conversionPart.ts'
import { hookPart } from './webhooks/hookPart.ts'
import { definitionPart } from './parts/definitionPart.ts'
import { documentPart } from './parts/documentPart.ts'
import type { Part } from './part.ts'
import { formsPart } from './parts/formsPart.ts'
import { metadataPart } from './parts/metadataPart.ts'
import { requestPart } from './parts/requestPart.ts'
import { kubectlPart } from './parts/kubectlPart.ts'
import { rightsPart } from './parts/rightsPart.ts'
import { sequencePart } from './parts/sequencePart.ts'
import { writePart } from './parts/writePart.ts'

export const parts: readonly Part[] = [
  documentPart,
  formsPart,
  requestPart,
  writePart,
  metadataPart,
  definitionPart,
  sequencePart,
  rightsPart,
  kubectlPart,
  ...admissionParts,
  hookPart,
  conversionPart,
  fieldPart,
  securityPart,
]
