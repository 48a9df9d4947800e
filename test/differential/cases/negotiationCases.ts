import {
  flunder,
  flundersPath,
  get,
  mergeType,
  patch,
  post,
  remove,
  type Case,
  type Step,
} from '../call.ts'

const one = `${flundersPath}/a`
const begin: Step[] = [
  post(flundersPath, flunder('a', { metadata: { labels: { x: 'y' } }, spec: { reference: 'x' } })),
  post(flundersPath, flunder('b')),
]
const accept = (path: string, value: string) => get(path, { accept: value })
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

export const negotiationCases: readonly Case[] = [
  {
    name: 'accept: media types',
    steps: [
      ...begin,
      accept(one, 'application/yaml'),
      accept(one, '*/*'),
      accept(one, 'application/*'),
      accept(one, 'text/*'),
      accept(one, 'text/html'),
      accept(one, ''),
      accept(one, 'application/xml, application/json;q=0.5'),
      accept(one, 'application/json;q=0.1, application/yaml;q=0.9'),
      accept(one, 'application/json;as=Odd;v=v1;g=meta.k8s.io'),
      accept(one, 'application/json;as=Table;v=v9;g=meta.k8s.io'),
      accept(one, `application/json;as=Odd;v=v1;g=meta.k8s.io, application/json`),
      accept(one, 'application/json;pretty=1'),
      accept(one, 'application/cbor'),
      accept(one, ';'),
      accept(one, '*'),
      accept(one, 'application/*, */json'),
      accept(`${flundersPath}/none`, 'application/yaml;as=Table;v=v1;g=meta.k8s.io'),
      accept(flundersPath, 'application/yaml'),
      accept(`${flundersPath}/none`, 'application/yaml'),
      accept(`${flundersPath}/none`, 'text/plain'),
    ],
  },
  {
    name: 'accept: Table',
    steps: [
      ...begin,
      accept(one, table),
      accept(flundersPath, table),
      accept(`${flundersPath}?includeObject=None`, table),
      accept(`${flundersPath}?includeObject=Object`, table),
      accept(`${flundersPath}?includeObject=Metadata`, table),
      accept(`${flundersPath}?includeObject=Odd`, table),
      accept(`${flundersPath}?limit=1`, table),
      accept(`${flundersPath}/none`, table),
      accept(flundersPath, `${table},application/json`),
      accept(flundersPath, 'application/json;as=Table;v=v1beta1;g=meta.k8s.io'),
      accept(flundersPath, 'application/yaml;as=Table;v=v1;g=meta.k8s.io'),
      post(flundersPath, flunder('c'), { accept: table }),
      { ...remove(`${flundersPath}/c`), headers: { accept: table } },
    ],
  },
  {
    name: 'accept: PartialObjectMetadata',
    steps: [
      ...begin,
      accept(one, partial),
      accept(flundersPath, partialList),
      accept(flundersPath, partial),
      accept(one, partialList),
      accept(`${flundersPath}?limit=1`, partialList),
      patch(one, { metadata: { labels: { x: 'z' } } }, { ...mergeType, accept: partial }),
      post(flundersPath, flunder('d'), { accept: partial }),
      { ...remove(`${flundersPath}/d`), headers: { accept: partial } },
      accept(flundersPath, 'application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'),
    ],
  },
]
