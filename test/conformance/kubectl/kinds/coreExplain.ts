import { expect } from 'chai'
import type { KubectlScenario } from '../fixtures.ts'

const v2 = '--output=plaintext-openapiv2'

export const coreExplainScenarios: readonly KubectlScenario[] = [
  {
    name: 'explain configmaps, v3 (reference 6.7)',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain configmaps')
      expect(text).to.match(/^KIND: {7}ConfigMap\nVERSION: {4}v1\n\nDESCRIPTION:\n/)
      const fields = [
        'apiVersion\t<string>',
        'binaryData\t<map[string]string>',
        'data\t<map[string]string>',
        'immutable\t<boolean>',
        'kind\t<string>',
        'metadata\t<ObjectMeta>',
      ]
      expect(text.match(/^ {2}\w+\t<.*$/gm)?.map((line) => line.trim())).to.deep.equal(fields)
    },
  },
  {
    name: 'explain services and its ports, v3 (reference 6.7)',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain svc')
      expect(text).to.contain('\n  spec\t<ServiceSpec>\n')
      expect(text).to.contain('\n  status\t<ServiceStatus>\n')
      const ports = await kubectl.ok('explain svc.spec.ports')
      expect(ports).to.contain('\nFIELD: ports <[]ServicePort>\n')
      expect(ports).to.contain('\n  port\t<integer> -required-\n')
      expect(ports).to.contain('\n  targetPort\t<IntOrString>\n')
    },
  },
  {
    name: 'explain configmaps and services, v2 (reference 6.7)',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok(`explain cm ${v2}`)
      expect(text).to.match(/^KIND: {5}ConfigMap\nVERSION: {2}v1\n\nDESCRIPTION:\n/)
      expect(text).to.contain('\n   data\t<map[string]string>\n')
      const ports = await kubectl.ok(`explain svc.spec.ports ${v2}`)
      expect(ports).to.contain('\nRESOURCE: ports <[]Object>\n')
      expect(ports).to.contain('\n   port\t<integer> -required-\n')
      expect(ports).to.contain('\n   targetPort\t<string>\n')
    },
  },
  {
    name: 'explain --recursive of a service, v2 and v3 (reference 6.7)',
    run: async ({ kubectl }) => {
      expect(await kubectl.ok('explain svc --recursive')).to.match(
        /^ {4}ports\t<\[\]ServicePort>\n(.*\n)*? {6}port\t<integer>/m,
      )
      expect(await kubectl.ok(`explain svc --recursive ${v2}`)).to.match(
        /^ {6}ports\t<\[\]Object>\n(.*\n)*? {9}port\t<integer>/m,
      )
    },
  },
]
