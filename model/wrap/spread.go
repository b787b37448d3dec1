package wrap

import (
	"context"
	"sync/atomic"

	"omniscope/model"
)

// Spread is one model that several servers of the same model answer for, each in its turn. A call that fails goes to another server
// when it is tried again. One server is returned as it is.
func Spread(servers []model.Model) model.Model {
	if len(servers) == 1 {
		return servers[0]
	}
	return &spread{servers: servers}
}

type spread struct {
	servers []model.Model
	next    atomic.Uint64
}

// Generate implements model.Model.
func (s *spread) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	return s.servers[(s.next.Add(1)-1)%uint64(len(s.servers))].Generate(ctx, req)
}

// Probe implements model.Prober: all servers must be reachable.
func (s *spread) Probe(ctx context.Context) error {
	for _, one := range s.servers {
		if p, ok := one.(model.Prober); ok {
			if err := p.Probe(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}
