// Package e2e is the public end-to-end suite of Kubernetes with the parts that hold conformance tests, and with shorter
// waits: over nodes without containers, a pod that is not there after a minute never comes.
package e2e

import (
	"flag"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"

	conformance "k8s.io/kubernetes/test/conformance/testdata"
	suite "k8s.io/kubernetes/test/e2e"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/config"
	"k8s.io/kubernetes/test/e2e/framework/testfiles"
	manifests "k8s.io/kubernetes/test/e2e/testing-manifests"
	fixtures "k8s.io/kubernetes/test/fixtures"

	_ "k8s.io/kubernetes/test/e2e/apimachinery"
	_ "k8s.io/kubernetes/test/e2e/apps"
	_ "k8s.io/kubernetes/test/e2e/architecture"
	_ "k8s.io/kubernetes/test/e2e/auth"
	_ "k8s.io/kubernetes/test/e2e/common"
	_ "k8s.io/kubernetes/test/e2e/dra"
	_ "k8s.io/kubernetes/test/e2e/feature"
	_ "k8s.io/kubernetes/test/e2e/framework/debug/init"
	_ "k8s.io/kubernetes/test/e2e/framework/metrics/init"
	_ "k8s.io/kubernetes/test/e2e/framework/node/init"
	_ "k8s.io/kubernetes/test/e2e/instrumentation"
	_ "k8s.io/kubernetes/test/e2e/kubectl"
	_ "k8s.io/kubernetes/test/e2e/network"
	_ "k8s.io/kubernetes/test/e2e/node"
	_ "k8s.io/kubernetes/test/e2e/scheduling"
	_ "k8s.io/kubernetes/test/e2e/storage"
)

// longest is the longest wait for anything about a pod, a claim or a volume.
var longest = flag.Duration("longest-wait", time.Minute, "Longest wait for a pod, a claim or a volume.")

func TestMain(m *testing.M) {
	config.CopyFlags(config.Flags, flag.CommandLine)
	framework.RegisterCommonFlags(flag.CommandLine)
	framework.RegisterClusterFlags(flag.CommandLine)
	flag.Parse()
	shorten(*longest)
	testfiles.AddFileSource(manifests.GetE2ETestingManifestsFS())
	testfiles.AddFileSource(fixtures.GetTestFixturesFS())
	testfiles.AddFileSource(conformance.GetConformanceTestdataFS())
	framework.AfterReadingAllFlags(&framework.TestContext)
	os.Exit(m.Run())
}

func TestE2E(t *testing.T) { suite.RunE2ETests(t) }

var _ = ginkgo.ReportAfterEach(func(ginkgo.SpecReport) {})

// shorten lowers every timeout of the framework, which keeps them in a field without a flag, to at most the longest wait.
func shorten(longest time.Duration) {
	field := reflect.ValueOf(&framework.TestContext).Elem().FieldByName("timeouts")
	timeouts := (*framework.TimeoutContext)(field.Addr().UnsafePointer())
	values := reflect.ValueOf(timeouts).Elem()
	for i := range values.NumField() {
		if value := values.Field(i); value.Int() > int64(longest) {
			value.SetInt(int64(longest))
		}
	}
}
