package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func leaderElectionScenarios() []scenario {
	return []scenario{
		{Name: "leader election: of three candidates one leads; another one when it is killed, the last when it steps down", run: leadersFollow},
		{Name: "leader election: the leader leads on when the server restarts", run: leaderStays},
	}
}

const leaseName = "leader"

// election is who leads, as the candidates themselves see it.
type election struct {
	mu      sync.Mutex
	leading map[string]bool
	// terms are the leaders in their order.
	terms []string
	// overlaps are leaders that began while another one led.
	overlaps []string
}

func (e *election) begin(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for other, leads := range e.leading {
		if leads {
			e.overlaps = append(e.overlaps, name+" beside "+other)
		}
	}
	e.leading[name] = true
	e.terms = append(e.terms, name)
}

func (e *election) end(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leading[name] = false
}

func (e *election) newest() (leader string, terms int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.terms) == 0 {
		return "", 0
	}
	return e.terms[len(e.terms)-1], len(e.terms)
}

// times are those of one election: how long a lease counts, when its holder gives up, how often all of them look.
type times struct{ lease, renew, retry time.Duration }

type candidate struct {
	name     string
	releases bool
	times    times
}

// run takes part until the context ends. One that does not release ends as a killed process does: without a word.
func (c candidate) run(ctx context.Context, t *test, election *election) {
	client := t.typed()
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: leaseName, Namespace: t.namespace},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: c.name},
		},
		LeaseDuration: c.times.lease, RenewDeadline: c.times.renew, RetryPeriod: c.times.retry,
		ReleaseOnCancel: c.releases,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { election.begin(c.name) },
			OnStoppedLeading: func() { election.end(c.name) },
		},
	})
	t.check("make an elector", err)
	go elector.Run(ctx)
}

// term waits for the leader of that number, counted from one.
func (e *election) term(t *test, number int) string {
	var leader string
	t.eventually(fmt.Sprintf("leader number %d", number), func() error {
		newest, terms := e.newest()
		if terms < number {
			return fmt.Errorf("there were %d", terms)
		}
		leader = newest
		return nil
	})
	return leader
}

func leadersFollow(t *test) {
	short := times{2 * time.Second, 1500 * time.Millisecond, 200 * time.Millisecond}
	seen := &election{leading: map[string]bool{}}
	kill := map[string]context.CancelFunc{}
	for i, name := range []string{"first", "second", "third"} {
		ctx, cancel := context.WithCancel(t.ctx)
		defer cancel()
		kill[name] = cancel
		candidate{name, i > 0, short}.run(ctx, t, seen)
		if i == 0 {
			seen.term(t, 1)
		}
	}
	t.holds("first", 0)
	kill["first"]()
	second := seen.term(t, 2)
	t.holds(second, 1)
	// It gives its lease back, unless it is just renewing it: then the last one waits for its end, as after a kill.
	kill[second]()
	third := seen.term(t, 3)
	t.holds(third, 2)
	t.hold("each candidate led", second != "first" && third != "first" && third != second)
	t.equal("leaders beside another one", seen.overlaps, []string(nil))
}

func leaderStays(t *test) {
	long := times{15 * time.Second, 10 * time.Second, 300 * time.Millisecond}
	seen := &election{leading: map[string]bool{}}
	candidate{"first", false, long}.run(t.ctx, t, seen)
	seen.term(t, 1)
	candidate{"second", false, long}.run(t.ctx, t, seen)
	for _, how := range []string{"stop", "kill"} {
		t.restart(how)
		before := time.Now()
		t.eventually("the leader renews its lease", func() error {
			lease, err := t.typed().CoordinationV1().Leases(t.namespace).Get(t.ctx, leaseName, metav1.GetOptions{})
			t.check("get the lease", err)
			if renewed := lease.Spec.RenewTime; !renewed.After(before) {
				return fmt.Errorf("it was renewed at %s", renewed)
			}
			return nil
		})
		t.holds("first", 0)
	}
	_, terms := seen.newest()
	t.equal("leaders", terms, 1)
}

// holds compares who has the lease, and how often it changed hands.
func (t *test) holds(name string, transitions int32) {
	lease, err := t.typed().CoordinationV1().Leases(t.namespace).Get(t.ctx, leaseName, metav1.GetOptions{})
	t.check("get the lease", err)
	t.equal("holder", *lease.Spec.HolderIdentity, name)
	t.equal("transitions", *lease.Spec.LeaseTransitions, transitions)
}
