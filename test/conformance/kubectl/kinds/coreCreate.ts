import { expect } from 'chai'
import type { KubectlScenario } from '../fixtures.ts'

/** Scenarios of create commands; they send protobuf since 1.32. */
export const coreCreateScenarios: readonly KubectlScenario[] = [
  {
    name: 'create configmap, from literals and files, and again: AlreadyExists (reference 0.4)',
    run: async ({ kubectl, file }) => {
      file('some.txt', 'line one\nline two ä\n')
      const create = 'create configmap one --from-literal=a=first --from-file=some.txt'
      expect(await kubectl.ok(create)).to.equal('configmap/one created\n')
      expect(JSON.parse(await kubectl.ok('get cm one -o jsonpath={.data}'))).to.deep.equal({
        a: 'first',
        'some.txt': 'line one\nline two ä\n',
      })
      expect(await kubectl.fails(create)).to.equal(
        'error: failed to create configmap: configmaps "one" already exists\n',
      )
      const table = await kubectl.ok('get cm one')
      expect(table).to.match(/^NAME +DATA +AGE\none +2 +\d+s\n$/)
    },
  },
  {
    name: 'create configmap --dry-run=server, and one that is invalid (reference 0.4)',
    run: async ({ kubectl }) => {
      expect(await kubectl.ok('create configmap one --dry-run=server')).to.equal(
        'configmap/one created (server dry run)\n',
      )
      expect(await kubectl.ok('get cm one -o name --ignore-not-found')).to.equal('')
      expect(await kubectl.fails('create configmap Bad_Name')).to.match(
        /^error: failed to create configmap: ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of/,
      )
    },
  },
  {
    name: 'create secret generic and docker-registry (reference 0.4)',
    run: async ({ kubectl }) => {
      expect(await kubectl.ok('create secret generic one --from-literal=a=first')).to.equal(
        'secret/one created\n',
      )
      const registry = '--docker-server=r.test --docker-username=u --docker-password=p'
      expect(await kubectl.ok(`create secret docker-registry two ${registry}`)).to.equal(
        'secret/two created\n',
      )
      const types = await kubectl.ok('get secrets -o jsonpath={.items[*].type}')
      expect(types).to.equal('Opaque kubernetes.io/dockerconfigjson')
      expect(await kubectl.ok('get secret one -o jsonpath={.data.a}')).to.equal('Zmlyc3Q=')
    },
  },
  {
    name: 'create service clusterip and externalname (reference 0.4)',
    run: async ({ kubectl }) => {
      expect(await kubectl.ok('create service clusterip one --tcp=80:8080')).to.equal(
        'service/one created\n',
      )
      const external = 'create service externalname two --external-name=other.test'
      expect(await kubectl.ok(external)).to.equal('service/two created\n')
      const port = { name: '80-8080', port: 80, protocol: 'TCP', targetPort: 8080 }
      const ports = await kubectl.ok('get svc one -o jsonpath={.spec.ports}')
      expect(JSON.parse(ports)).to.deep.equal([port])
      const [head, ...rows] = (await kubectl.ok('get svc')).trimEnd().split('\n')
      expect(head).to.match(/^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE$/)
      expect(rows[0]).to.match(/^one +ClusterIP +10\.\d+\.\d+\.\d+ +<none> +80\/TCP +\d+s$/)
      expect(rows[1]).to.match(/^two +ExternalName +<none> +other\.test +<none> +\d+s$/)
    },
  },
  {
    name: 'create namespace, and delete it (reference 0.4)',
    run: async ({ kubectl, namespace }) => {
      const name = `${namespace}-made`
      expect(await kubectl.ok(`create namespace ${name}`)).to.equal(`namespace/${name} created\n`)
      await kubectl.ok(`create configmap one -n ${name}`)
      expect(await kubectl.ok(`delete ns ${name}`)).to.equal(`namespace "${name}" deleted\n`)
      expect(await kubectl.ok(`get cm -n ${name} -o name`)).to.equal('')
    },
  },
]
