import type { Case } from '../call.ts'
import { applyCases } from './applyCases.ts'
import { createCases } from './createCases.ts'
import { deleteCases } from './deleteCases.ts'
import { documentCases } from './documentCases.ts'
import { fieldValidationCases } from './fieldValidationCases.ts'
import { listCases } from './listCases.ts'
import { metadataCases } from './metadataCases.ts'
import { methodCases } from './methodCases.ts'
import { negotiationCases } from './negotiationCases.ts'
import { patchCases } from './patchCases.ts'
import { updateCases } from './updateCases.ts'
import { userCases } from './userCases.ts'
import { watchCases } from './watchCases.ts'

export const allCases: readonly Case[] = [
  ...createCases,
  ...metadataCases,
  ...fieldValidationCases,
  ...updateCases,
  ...patchCases,
  ...applyCases,
  ...deleteCases,
  ...listCases,
  ...watchCases,
  ...negotiationCases,
  ...methodCases,
  ...userCases,
  ...documentCases,
]
