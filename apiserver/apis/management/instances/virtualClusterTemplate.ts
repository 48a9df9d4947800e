import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { flag, listOf, struct, string } from '../../schema.ts'
import { accessErrors } from '../accessRules.ts'
import { opaque, open, storedKind } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { templateHostRights } from './hostRights.ts'
import { fillOwner } from '../fillOwner.ts'
import { accessSchema, ownerSchema } from '../sharedShapes.ts'

/**
 * The template of a virtual cluster: the fields that clients read, and any other fields.
 * Source: platform facts 1.6, 3.2.
 */
export function virtualClusterTemplateSchema(description: string): Schema {
  const fields = {
    helmRelease: {
      ...struct(
        {
          chart: {
            ...struct({ version: string('Version of the chart.') }, 'The chart.', {
              omitEmpty: true,
            }),
            ...open,
          },
          values: string('Values of the chart, as a YAML document.'),
        },
        'Chart release of the virtual cluster.',
        { omitEmpty: true },
      ),
      ...open,
    },
    accessPoint: struct(
      {
        ingress: struct(
          { enabled: flag('Whether the virtual cluster is reached through an ingress.') },
          'Access through an ingress.',
          { omitEmpty: true },
        ),
      },
      'Direct access to the virtual cluster.',
      { omitEmpty: true },
    ),
  }
  return { ...struct(fields, description, { omitEmpty: true }), ...open }
}

/** Templates of virtual clusters, offered by `create vcluster`. Source: platform facts 3.2, 3.3. */
export function virtualClusterTemplateResource(
  platform: Pick<Platform, 'names' | 'access'>,
): ResourceDefinition {
  const template = virtualClusterTemplateSchema('Template of virtual clusters.')
  const kind = templateResource(platform.names, 'VirtualClusterTemplate', template)
  return {
    ...kind,
    strategy: { ...kind.strategy, authorizeWrite: templateHostRights(platform) },
  }
}

/** Templates of spaces. Source: platform facts 3.3. */
export function spaceTemplateResource(names: NamesProfile): ResourceDefinition {
  return templateResource(names, 'SpaceTemplate', opaque('Template of spaces.'))
}

function templateResource(
  names: NamesProfile,
  kindName: string,
  template: Schema,
): ResourceDefinition {
  const spec = {
    displayName: string('Name shown in the UI.'),
    description: string('Describes the template.'),
    owner: ownerSchema(names),
    template,
    parameters: listOf(opaque('A parameter.'), 'Parameters of the template.'),
    versions: listOf(opaque('A version.'), 'Versions of the template.'),
    access: accessSchema(names),
  }
  const kind = storedKind({
    names,
    kind: kindName,
    plural: `${kindName.toLowerCase()}s`,
    description: `${kindName} is a template for instances of projects.`,
    fields: {
      spec: { ...struct(spec, 'Desired state of the template.'), ...open },
      status: opaque('Observed state of the template.'),
    },
  })
  return {
    ...kind,
    strategy: {
      ...kind.strategy,
      prepareForCreate: fillOwner,
      validate: (object) => accessErrors(object),
      validateUpdate: (object) => accessErrors(object),
    },
    columns: [
      nameColumn,
      textColumn('Display Name', 'spec.displayName', 'Name shown in the UI.'),
      ageColumn,
    ],
  }
}
