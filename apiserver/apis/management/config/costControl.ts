import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, integer, listOf, mapOf, struct, string } from '../../schema.ts'
import { shape } from './shape.ts'

/** Costs of clusters. Source: specification, "costControl"; platform facts 1.7. */
export function costControlSchema(names: NamesProfile): Schema {
  const metrics = metricsSchema(names)
  return shape(
    names,
    'CostControl',
    {
      enabled: flag('Whether the cost dashboard and its metrics are installed.'),
      global: shape(
        names,
        'CostControlGlobal',
        { metrics },
        'Settings for components installed once for the platform.',
      ),
      cluster: shape(
        names,
        'CostControlCluster',
        {
          metrics,
          [names.costTool]: shape(
            names,
            'CostTool',
            { ...replicasAndResources(names) },
            'The tool that computes costs.',
          ),
        },
        'Settings for components installed in each cluster.',
      ),
      settings: settingsSchema(names),
    },
    'Prices of clusters.',
  )
}

/** Replicas and resources of a component. */
export function replicasAndResources(names: NamesProfile): Record<string, Schema> {
  const claim = struct(
    {
      name: string('Name of the claim.'),
      request: string('Request of the claim; empty: everything of it.'),
    },
    'A claim of a resource.',
  )
  const quantities = (description: string) => mapOf({ canonical: 'quantity' }, description)
  return {
    replicas: { ...integer('Number of replicas.'), format: 'int32', minimum: 0 },
    resources: shape(
      names,
      'ResourceRequirements',
      {
        limits: quantities('Resource limits.'),
        requests: quantities('Resource requests.'),
        claims: listOf(claim, 'Resource claims.'),
      },
      'Resource requirements.',
    ),
  }
}

function metricsSchema(names: NamesProfile): Schema {
  const storage = struct(
    {
      storageClass: {
        ...string(
          "Storage class; - or empty: no dynamic provisioning; not set: the cluster's default.",
        ),
        omitEmpty: false,
      },
      size: string('Size of the volume.'),
    },
    'Storage of metrics.',
    { omitEmpty: true },
  )
  return shape(
    names,
    'Metrics',
    {
      ...replicasAndResources(names),
      retention: { ...string('Retention of metrics, such as 30d or 1y.'), default: '1y' },
      storage,
    },
    'Metrics for computing costs.',
  )
}

function settingsSchema(names: NamesProfile): Schema {
  const price = (description: string) =>
    shape(
      names,
      'ResourcePrice',
      {
        price: { type: 'number', format: 'double', description: 'The price.', omitEmpty: true },
        timePeriod: string('Period of the price.'),
      },
      description,
    )
  return shape(
    names,
    'CostControlSettings',
    {
      priceCurrency: string('Currency of prices.'),
      averageCPUPricePerNode: price('Price of a processor core of a node.'),
      averageRAMPricePerNode: price('Price of a gigabyte of memory of a node.'),
      gpuSettings: shape(
        names,
        'CostControlGPUSettings',
        {
          enabled: flag('Whether graphics processors are counted.'),
          averageGPUPrice: price('Price of a graphics processor.'),
        },
        'Price of graphics processors.',
      ),
      controlPlanePricePerCluster: price('Price of the control plane of a cluster.'),
    },
    'Prices.',
  )
}
