import { projectFields } from '../../../apiserver/apis/management/projects/projectFields.ts'
import { struct } from '../../../apiserver/apis/schema.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import type { ResourceDefinition } from '../../../apiserver/registry/resource.ts'

const answered = { plural: 'projects', singular: 'projectclusters', kind: 'ProjectClusters' }
const common = { group: 'management.platform', version: 'v1', namespaced: false, strategy: {} }

/** Project without the platform, with one subresource that can be read. */
export const projectKind: ResourceDefinition = {
  ...common,
  plural: 'projects',
  singular: 'project',
  kind: 'Project',
  verbs: ['create', 'get', 'update', 'delete'],
  schema: struct({ spec: struct(projectFields(defaultNames), 'What it should be.') }, 'A project.'),
  subresources: [
    {
      name: 'clusters',
      verbs: ['get'],
      resource: { ...common, ...answered, verbs: ['get'], schema: { type: 'object' } },
    },
    {
      name: 'move',
      verbs: ['create'],
      resource: { ...common, ...answered, verbs: ['create'], schema: { type: 'object' } },
    },
  ],
}
