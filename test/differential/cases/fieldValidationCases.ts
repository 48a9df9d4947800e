import {
  applyType,
  flunder,
  flundersPath,
  mergeType,
  patch,
  post,
  put,
  type Case,
} from '../call.ts'

const one = `${flundersPath}/a`
const unknown = flunder('a', { spec: { reference: 'x', colour: 'red' }, extra: 1 })
const twice =
  '{"kind":"Flunder","apiVersion":"wardle.example.com/v1alpha1","metadata":{"name":"a","name":"a"},"spec":{"reference":"x","reference":"y"}}'
const unknownTwice =
  '{"metadata":{"name":"b","x":{"a":1,"a":2}},"x":[{"a":1,"a":2}],"xy":1,"xy":2,"spec":{"reference":"x","reference":"y"}}'
const wrongCase = flunder('a', { Spec: { reference: 'x' }, spec: { Reference: 'x' } })
const levels = ['', '?fieldValidation=Ignore', '?fieldValidation=Warn', '?fieldValidation=Strict']

const ofLevels: readonly Case[] = levels.map((query) => ({
  name: `field validation ${query.slice(17) || 'by default'}`,
  steps: [
    post(`${flundersPath}${query}`, unknown),
    post(`${flundersPath}${query}`, flunder('a')),
    post(`${flundersPath}${query === '' ? '?' : `${query}&`}dryRun=All`, twice),
    post(`${flundersPath}${query === '' ? '?' : `${query}&`}dryRun=All`, wrongCase),
    post(`${flundersPath}${query === '' ? '?' : `${query}&`}dryRun=All`, unknownTwice),
    put(`${one}${query}`, unknown),
    put(`${one}${query}`, twice),
    patch(`${one}${query}`, { spec: { colour: 'red', reference: 'z' }, more: {} }, mergeType),
    patch(`${one}${query}`, '{"spec":{"reference":"p","reference":"q"}}', mergeType),
    patch(`${one}${query === '' ? '?' : `${query}&`}fieldManager=m`, unknown, applyType),
    post(flundersPath, 'metadata:\n  name: yaml\nspec:\n  colour: red\n', {
      'content-type': 'application/yaml',
    }),
    post(
      `${flundersPath}${query}`,
      'metadata:\n  name: twice\nspec:\n  reference: red\n  reference: blue\n',
      { 'content-type': 'application/yaml' },
    ),
  ],
}))

const oddLevel: Case = {
  name: 'field validation of no known level',
  steps: [post(`${flundersPath}?fieldValidation=Other`, unknown)],
}

export const fieldValidationCases: readonly Case[] = [...ofLevels, oddLevel]
