import type { Schema } from '../../apiserver/meta/schema.ts'
import type { DefinedSchema } from '../definedSchema.ts'
import { apiVersionDescription, kindDescription, metaName } from './names.ts'

const text = (description: string): Schema => ({ type: 'string', description })
const list = (description: string, items: Schema = { type: 'string' }): Schema => ({
  type: 'array',
  description,
  items,
  'x-kubernetes-list-type': 'atomic',
})
const typeMeta = { apiVersion: text(apiVersionDescription), kind: text(kindDescription) }

const serverAddress: DefinedSchema = {
  definition: metaName('ServerAddressByClientCIDR'),
  description: 'The address of the server for clients of one network.',
  type: 'object',
  required: ['clientCIDR', 'serverAddress'],
  properties: {
    clientCIDR: text('The network of the client, in CIDR form.'),
    serverAddress: text('Host and port of the server for that network.'),
  },
}

const groupVersionEntry: DefinedSchema = {
  definition: metaName('GroupVersionForDiscovery'),
  description: 'A version of a group.',
  type: 'object',
  required: ['groupVersion', 'version'],
  properties: {
    groupVersion: text('Group and version, `group/version`.'),
    version: text('The version alone.'),
  },
}

const apiResource: DefinedSchema = {
  definition: metaName('APIResource'),
  description: 'A resource and its verbs.',
  type: 'object',
  required: ['name', 'singularName', 'namespaced', 'kind', 'verbs'],
  properties: {
    categories: list('Categories of the resource, such as `all`.'),
    group: text('Group of the resource, if it differs from that of the list.'),
    kind: text('Kind of the objects.'),
    name: text('Plural name, as in URLs; `resource/subresource` for a subresource.'),
    namespaced: { type: 'boolean', description: 'Whether the resource is namespaced.' },
    shortNames: list('Short names for it on a command line.'),
    singularName: text('Singular name.'),
    storageVersionHash: text(
      'Opaque hash that changes when the stored form of the objects changes.',
    ),
    verbs: list('Supported verbs.'),
    version: text('Version of the resource, if it differs from that of the list.'),
  },
}

const apiGroup: DefinedSchema = {
  definition: metaName('APIGroup'),
  description: 'A group and its versions.',
  type: 'object',
  required: ['name', 'versions'],
  properties: {
    ...typeMeta,
    name: text('The name of the group.'),
    preferredVersion: { ...groupVersionEntry, description: 'The version to use when any will do.' },
    serverAddressByClientCIDRs: list('Addresses of the server.', serverAddress),
    versions: list('The versions served, best first.', groupVersionEntry),
  },
}

const apiGroupList: DefinedSchema = {
  definition: metaName('APIGroupList'),
  description: 'The groups that are served.',
  type: 'object',
  required: ['groups'],
  properties: { ...typeMeta, groups: list('The groups.', apiGroup) },
}

const apiVersions: DefinedSchema = {
  definition: metaName('APIVersions'),
  description: 'The versions of the core group that are served.',
  type: 'object',
  required: ['versions', 'serverAddressByClientCIDRs'],
  properties: {
    ...typeMeta,
    serverAddressByClientCIDRs: list('Addresses of the server.', serverAddress),
    versions: list('The versions.'),
  },
}

const apiResourceList: DefinedSchema = {
  definition: metaName('APIResourceList'),
  description: 'The resources of one group version.',
  type: 'object',
  required: ['groupVersion', 'resources'],
  properties: {
    ...typeMeta,
    groupVersion: text('The group and version.'),
    resources: list('The resources.', apiResource),
  },
}

const versionInfo: DefinedSchema = {
  definition: 'io.k8s.apimachinery.pkg.version.Info',
  description: 'The version of the server and how it was built.',
  type: 'object',
  required: [
    'major',
    'minor',
    'gitVersion',
    'gitCommit',
    'gitTreeState',
    'buildDate',
    'goVersion',
    'compiler',
    'platform',
  ],
  properties: {
    buildDate: text('Build time.'),
    compiler: text('The compiler it was built with.'),
    gitCommit: text('The commit it was built from.'),
    gitTreeState: text('Whether that commit was all: `clean` or `dirty`.'),
    gitVersion: text(
      'Version of the served API, followed by a plus sign and the version of the server.',
    ),
    goVersion: text('The runtime it runs on.'),
    major: text('The major version of the API.'),
    minor: text('The minor version of the API.'),
    platform: text('Operating system and processor.'),
  },
}

/** The responses of the discovery paths, and their parts. */
export const discoverySchemas = {
  apiVersions,
  apiGroupList,
  apiGroup,
  apiResource,
  apiResourceList,
  groupVersionEntry,
  serverAddress,
  versionInfo,
} as const
