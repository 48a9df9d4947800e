import {
  flunder,
  flundersPath,
  get,
  group,
  mergeType,
  patch,
  post,
  remove,
  type Case,
} from '../call.ts'

const newer = flundersPath.replace('v1alpha1', 'v1beta1')
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

export const documentCases: readonly Case[] = [
  {
    name: 'discovery',
    steps: [
      get('/apis'),
      get('/apis/wardle.example.com'),
      get(group),
      get('/apis', { accept: aggregated }),
      get('/apis', { accept: `${aggregated},application/json` }),
      get('/apis', { accept: 'application/yaml' }),
      get('/apis', { accept: 'text/plain' }),
      get(group, { accept: 'application/yaml' }),
    ],
  },
  {
    name: 'OpenAPI is there',
    // Other tests compare the contents of documents, whose texts and versions differ between the
    // servers.
    steps: [
      { method: 'HEAD', path: '/openapi/v2' },
      // The response to a form that does not exist has no body to compare, whatever the method.
      { ...get('/openapi/v2', { accept: 'text/html' }), method: 'POST' },
      get('/openapi/v3/apis/none.example.com/v1'),
      get('/version/none'),
      { method: 'POST', path: '/version' },
    ],
  },
  {
    name: 'several versions',
    steps: [
      post(flundersPath, flunder('a', { spec: { reference: 'x' } })),
      get(`${newer}/a`),
      post(newer, {
        metadata: { name: 'b' },
        spec: { fischerReference: 'f', referenceType: 'Fischer' },
      }),
      get(`${flundersPath}/b`),
      get(newer),
      patch(`${newer}/a`, { spec: { flunderReference: 'z' } }, mergeType),
      get(`${newer}?watch=1&resourceVersion=0`),
      get(`${flundersPath}/a`),
      remove(`${newer}/a`),
    ].map((step) => (step.path.includes('watch=1') ? { ...step, lines: 2 } : step)),
  },
]
