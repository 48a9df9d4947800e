// The aggregator of the real library, started with the flags of its own command. That command gives the library no
// configuration of OpenAPI v3, without which the library of this release refuses to start; this one gives it.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/filters"
	"k8s.io/klog/v2"
	"k8s.io/kube-aggregator/pkg/apiserver"
	"k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kube-aggregator/pkg/cmd/server"
	definitions "k8s.io/kube-aggregator/pkg/generated/openapi"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		klog.ErrorS(err, "the aggregator ends")
		os.Exit(1)
	}
}

func run(args []string) error {
	options := server.NewDefaultOptions(io.Discard, io.Discard)
	flags := pflag.NewFlagSet("aggregator", pflag.ContinueOnError)
	options.AddFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := errors.Join(options.Complete(), options.Validate(nil)); err != nil {
		return err
	}
	generic, err := genericConfig(options)
	if err != nil {
		return err
	}
	services := generic.SharedInformerFactory.Core().V1().Services().Lister()
	config := apiserver.Config{
		GenericConfig: generic,
		ExtraConfig: apiserver.ExtraConfig{
			ProxyClientCertFile: options.ProxyClientCertFile,
			ProxyClientKeyFile:  options.ProxyClientKeyFile,
			ServiceResolver:     apiserver.NewClusterIPServiceResolver(services),
		},
	}
	aggregator, err := config.Complete().NewWithDelegate(genericapiserver.NewEmptyDelegate())
	if err != nil {
		return err
	}
	prepared, err := aggregator.PrepareRun()
	if err != nil {
		return err
	}
	return prepared.Run(genericapiserver.SetupSignalContext())
}

func genericConfig(options *server.AggregatorOptions) (*genericapiserver.RecommendedConfig, error) {
	serving := options.RecommendedOptions.SecureServing
	if err := serving.MaybeDefaultWithSelfSignedCerts("localhost", nil, nil); err != nil {
		return nil, err
	}
	config := genericapiserver.NewRecommendedConfig(scheme.Codecs)
	namer := openapi.NewDefinitionNamer(scheme.Scheme)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions.GetOpenAPIDefinitions, namer)
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions.GetOpenAPIDefinitions, namer)
	// The aggregator serves the documents of all its services itself.
	config.SkipOpenAPIInstallation = true
	config.LongRunningFunc = filters.BasicLongRunningRequestCheck(
		sets.NewString("watch", "proxy"), sets.NewString("attach", "exec", "proxy", "log", "portforward"))
	enabled := apiserver.DefaultAPIResourceConfigSource()
	return config, errors.Join(
		options.ServerRunOptions.ApplyTo(&config.Config),
		options.RecommendedOptions.ApplyTo(config),
		options.APIEnablement.ApplyTo(&config.Config, enabled, scheme.Scheme),
	)
}
