package main

import (
	"context"
	"fmt"
	"log"
	"os"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("GROWTH_URL")}}
	client := openapi.NewAPIClient(configuration)
	key := map[string]openapi.APIKey{"apiKey": {Key: os.Getenv("GROWTH_API_KEY")}}
	ctx := context.WithValue(context.Background(), openapi.ContextAPIKeys, key)
	page, _, err := client.AlertsAPI.ListAlerts(ctx).Limit(5).XTestClock(os.Getenv("GROWTH_CLOCK")).Execute()
	if err != nil {
		log.Fatal(err)
	}
	input := openapi.NewTrackCreatorInput()
	input.SetChannelId(os.Getenv("GROWTH_CHANNEL"))
	tracked, _, err := client.TrackingAPI.TrackCreator(ctx).TrackCreatorInput(*input).Execute()
	if err != nil {
		log.Fatal(err)
	}
	_, response, err := client.TrackingAPI.GetTrackedCreator(ctx, "UC_nobody-has-this-12345").Execute()
	failure := err.(*openapi.GenericOpenAPIError).Model().(openapi.Failure)
	fmt.Println(len(page.Alerts), tracked.Creator.ChannelId, response.StatusCode, failure.Code)
}
