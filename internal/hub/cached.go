package hub

// Cached returns a file as the cache has it, and makes no request. ok says whether
// it is there.
func (c *Client) Cached(repo Repo, path string) (local Local, ok bool, err error) {
	t, err := c.task(repo, path)
	if err != nil {
		return Local{}, false, err
	}
	local, ok = t.cached()
	return local, ok, nil
}
