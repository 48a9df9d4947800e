import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { struct } from '../../schema.ts'
import { accessErrors } from '../accessRules.ts'
import { open, storedKind } from '../managementKind.ts'
import { fillOwner } from '../fillOwner.ts'
import type { Platform } from '../platform.ts'
import { reportedSubresource } from '../reportedStatus.ts'
import { projectAnswers } from './projectAnswers.ts'
import { projectFields, projectStatusFields } from './projectFields.ts'

const longestNamespace = 63

/**
 * A project: members and a namespace of the management API with instances and secrets. Its
 * namespace is created and deleted with it. Source: platform facts 1.0 "Namespaces", 3.3.
 */
export function projectResource(platform: Platform): ResourceDefinition {
  const { names } = platform
  const kind = storedKind({
    names,
    kind: 'Project',
    plural: 'projects',
    description: 'Project groups instances and secrets, and defines who may use them.',
    fields: {
      spec: { ...struct(projectFields(names), 'Desired state of the project.'), ...open },
      status: { ...struct(projectStatusFields(names), 'Observed state of the project.'), ...open },
    },
  })
  return {
    ...kind,
    strategy: { ...kind.strategy, ...projectStrategy(platform) },
    subresources: [reportedSubresource(), ...projectAnswers(platform)],
    columns: [
      nameColumn,
      textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'),
      { ...textColumn('Description', 'spec.description', 'Describes the project.'), priority: 1 },
      ageColumn,
    ],
  }
}

function projectStrategy(platform: Platform): Strategy {
  return {
    // The name is part of the namespace's name.
    nameRule: 'label',
    prepareForCreate: fillOwner,
    validate: (project) => [
      ...lengthErrors(project, platform.projectNamespacePrefix()),
      ...accessErrors(project),
    ],
    validateUpdate: (project) => accessErrors(project),
    afterCreate: (project) => platform.ensureProjectNamespace(project),
  }
}

function lengthErrors({ metadata: { name = '' } }: ApiObject, prefix: string): FieldError[] {
  const longest = longestNamespace - prefix.length
  if (name.length <= longest) return []
  const why = `must be no more than ${longest} characters, since the namespace of the project is named ${prefix}<name>`
  return [invalidField('metadata.name', name, why)]
}
