/** Definition of `widgets.example.com`, version v1, with additional parts. */
export function widgetDefinition(
  schema: object,
  { version = {}, spec = {}, names = {} }: { version?: object; spec?: object; names?: object } = {},
): object {
  return {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', ...names },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', ...schema } },
          ...version,
        },
      ],
      ...spec,
    },
  }
}

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const widgetsPath = '/apis/example.com/v1/namespaces/default/widgets'
